# SPDX-License-Identifier: GPL-2.0-only
#
# kunit.awk -v suite=NAME RESULTS: turns what KUnit leaves of a suite in debugfs into
# one unnumbered TAP result a case. Strict: the suite's name, one plan, as many results,
# in order, and a last line that agrees with them; whatever is missing has failed.
# Everything else is shown as a comment.

function bad(reason)
{
	print "not ok - " suite ": " reason
}

/^    # Subtest: / {
	if ($3 == suite)
		named++
	else
		bad("there stands the name " $3)
	next
}

/^    1\.\.[0-9]+$/ {
	plans++
	plan = $1
	sub(/^1\.\./, "", plan)
	next
}

/^    (not )?ok [0-9]+ (- )?/ {
	results++
	not = $1 == "not"
	failed += not
	number = not ? $3 : $2
	if (number != results)
		bad("result " results " carries the number " number)
	name = $0
	sub(/^    (not )?ok [0-9]+ (- )?/, "", name)
	print (not ? "not ok" : "ok") " - " suite ": " name
	next
}

/^(not )?ok [0-9]+ (- )?/ {
	ends++
	end_failed = $1 == "not"
	next
}

{ print "#" $0 }

END {
	if (named != 1)
		bad("its name stands there " named + 0 " times")
	if (plans != 1)
		bad("it has " plans + 0 " plans")
	else if (plan + 0 != results + 0 || !results)
		bad("plan of " plan ", " results + 0 " results")
	if (ends != 1)
		bad("its end stands there " ends + 0 " times")
	else if (end_failed != (failed > 0))
		bad("its end does not agree with its results")
}
