# SPDX-License-Identifier: GPL-2.0-only
#
# tap.awk: counts one TAP stream, strictly. Only unindented lines count. The
# plan must be there once and agree with the number of results; numbers, where
# given, must rise by one. Prints "PASSED FAILED SKIPPED" and on the lines
# after it one reason a failure. Set status to the program's exit status: a
# program that fails without a failed test line counts as one failure.

function bad(reason)
{
	failed++
	reasons = reasons reason "\n"
}

{ sub(/\r$/, "") }

/^1\.\.[0-9]+/ {
	plans++
	plan = $0
	sub(/^1\.\./, "", plan)
	skip_all = (plan + 0 == 0 && plan ~ /SKIP/)
	plan += 0
}

/^(not )?ok([ \t]|$)/ {
	results++
	number = ($1 == "not") ? $3 : $2
	if (number ~ /^[0-9]+$/ && number + 0 != results)
		bad("result " results " carries the number " number)
	if ($1 == "not")
		bad($0)
	else if (toupper($0) ~ /# *SKIP/)
		skipped++
	else
		passed++
}

/^Bail out!/ { bad($0) }

END {
	if (plans != 1)
		bad(plans ? "more than one plan" : "no plan")
	else if (plan != results + 0)
		bad("plan of " plan ", " results + 0 " results")
	else if (plan == 0)
		if (skip_all)
			skipped++
		else
			bad("no tests")
	if (status + 0 != 0 && failed == 0 && !(status + 0 == 4 && skipped > 0))
		bad("exit status " status)
	printf "%d %d %d\n%s", passed, failed, skipped, reasons
}
