// SPDX-License-Identifier: MIT
/* DOC: runs the tests, one process each, and prints TAP; thunk_test.h has the rules. */
#include "thunk_test.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_PER_TEST	60
#define EXIT_SKIPPED		77

#ifdef LINES_COUNTED
void __gcov_dump(void);
#define write_counters()	__gcov_dump()
#else
#define write_counters()	do { } while (0)
#endif

static struct thunk_test *first;
static struct thunk_test **last = &first;

void thunk_test_add(struct thunk_test *test)
{
	*last = test;
	last = &test->next;
}

void test_fail(const char *file, int line, const char *what)
{
	printf("# %s:%d: %s\n", file, line, what);
	fflush(stdout);
	_exit(1);
}

void test_skip(const char *why)
{
	printf("# %s\n", why);
	fflush(stdout);
	_exit(EXIT_SKIPPED);
}

void test_child_exit(int status)
{
	write_counters();
	_exit(status);
}

static int run_child(const struct thunk_test *test)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		return -1;
	if (!pid) {
		alarm(SECONDS_PER_TEST);
		test->run();
		/* exit(), not _exit(): the leak checker runs there */
		exit(0);
	}
	if (waitpid(pid, &status, 0) != pid)
		return -1;
	if (WIFSIGNALED(status))
		printf("# killed by signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Whether the command line, if it names tests, names this one. */
static bool is_wanted(const struct thunk_test *test, char **names)
{
	char **name;

	for (name = names; *name; name++)
		if (!strcmp(*name, test->name))
			return true;
	return !*names;
}

int main(int argc, char **argv)
{
	const struct thunk_test *test;
	int number = 0;
	int failed = 0;

	(void)argc;
	for (test = first; test; test = test->next) {
		int result;

		if (!is_wanted(test, argv + 1))
			continue;
		result = run_child(test);
		number++;
		failed += result && result != EXIT_SKIPPED;
		printf("%sok %d - %s: %s%s\n", !result || result == EXIT_SKIPPED ? "" : "not ",
		       number, test->name, test->what,
		       result == EXIT_SKIPPED ? " # SKIP see above" : "");
	}
	printf("1..%d\n", number);
	return failed ? 1 : 0;
}
