//! What the help says besides the options.

pub const USAGE_LINES: &str = "\
whydunit [OPTIONS] FILE... [-- ARGS... [-- CFLAGS...]]
       whydunit explain TECHNIQUE";

/// What to say to someone who gives no arguments.
pub const USAGE: &str = "\
Usage: whydunit [OPTIONS] FILE... [-- ARGS... [-- CFLAGS...]]
       whydunit explain TECHNIQUE

FILE is a program that fails: C (.c, .bc, .ll) or Boogie (.bpl). Try `whydunit --help`.
";

/// After the most important options.
pub const SHORT: &str = "\
Examples:
  whydunit triangle.c -- 6 5 4             run a C program with these arguments
  whydunit sum.c --stdin in --expect out   its output is wrong
  whydunit sum.c --tests tests             run all tests, explain one that fails
  whydunit lock.c                          find inputs with which it fails

`--help` has all options, and says more.";

/// After all options.
pub const LONG: &str = "\
Examples:
  whydunit triangle.c -- 6 5 4             run a C program with these arguments
  whydunit sum.c --stdin in --expect out   its output is wrong
  whydunit sum.c --tests tests             run all tests, explain one that fails
  whydunit lock.c                          find inputs with which it fails
  whydunit a.c b.c --cflags -Iinclude      several files, with flags for clang
  whydunit counter.bpl                     find a failure and explain it
  whydunit counter.bpl --max-traces 5      explain up to five failures at once
  whydunit counter.bpl --format json       the same for a program to read
  whydunit sum.c --explore -- 3 4          walk through the causes of a failure
  whydunit sum.c --fix -- 3 4 | git apply  correct it as the best fix says
  whydunit explain relevance               what the answers mean

Exit status:
  0    a failure was explained; a note says so if a limit was reached
  1    there is no failure
  2    the input or the command line is wrong, or the answer cannot be written
  3    an error in whydunit itself
  4    unknown: a limit was reached, or no statement is suspected; or there is
       no fix, if one is asked for
  130  interrupted by Ctrl-C, 143 by SIGTERM, 129 by SIGHUP; what was known
       by then was printed";
