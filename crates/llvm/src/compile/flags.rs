//! Which of the user's flags reach clang.
//!
//! Flags come from command lines and from files that others wrote. So none may make clang run or load a program,
//! and none may replace the output that we read.

/// A flag that is not given to clang, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the flag {flag} is not passed to clang: {reason}")]
pub struct Refused {
    pub flag: String,
    pub reason: &'static str,
}

const RUNS_CODE: &str = "it could load or run other programs";
const OUTPUT: &str = "whydunit decides what clang makes";
const HIDDEN: &str = "what it adds cannot be seen; write the flags out";
const NO_FLAG: &str = "it is not a flag; sources are given by themselves";

/// Flags that begin so.
const PREFIXES: &[(&str, &str)] = &[
    ("-fplugin", RUNS_CODE),
    ("-fpass-plugin", RUNS_CODE),
    ("-X", RUNS_CODE),
    ("-Wp,", RUNS_CODE),
    ("-mllvm", RUNS_CODE),
    ("-B", RUNS_CODE),
    ("-ccc", RUNS_CODE),
    ("-cc1", RUNS_CODE),
    ("-wrapper", RUNS_CODE),
    ("-specs", RUNS_CODE),
    ("-load", RUNS_CODE),
    ("-plugin", RUNS_CODE),
    ("-driver-mode", RUNS_CODE),
    ("-prefix", RUNS_CODE),
    ("-config", HIDDEN),
    ("@", HIDDEN),
    ("-o", OUTPUT),
    ("-M", OUTPUT),
    ("-emit-", OUTPUT),
    ("-save-temps", OUTPUT),
    ("-print-", OUTPUT),
    ("-analyze", OUTPUT),
    ("-fmodules", OUTPUT),
    ("-fprofile", OUTPUT),
    ("-fcs-profile", OUTPUT),
    ("-fcoverage", OUTPUT),
    ("-ftest-coverage", OUTPUT),
    ("-ftime-trace", OUTPUT),
    ("-fsave-optimization-record", OUTPUT),
    ("-foptimization-record", OUTPUT),
    ("-fproc-stat-report", OUTPUT),
    ("-fcrash-diagnostics", OUTPUT),
    ("-fdiagnostics-format", OUTPUT),
    ("-fstack-usage", OUTPUT),
    ("-serialize-diagnostics", OUTPUT),
    ("-coverage", OUTPUT),
    ("-x", OUTPUT),
];

/// Flags that are exactly this.
const WHOLE: &[&str] = &[
    "-E",
    "-S",
    "-v",
    "-###",
    "-help",
    "-version",
    "-fsyntax-only",
    "-preprocess",
    "-assemble",
    "-dM",
    "-dD",
    "-dI",
];

/// Flags whose value may be the next word.
const WITH_VALUE: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-L",
    "-l",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-target",
    "--sysroot",
];

/// The first flag that clang must not see.
pub fn check(flags: &[String]) -> Result<(), Refused> {
    let mut takes_value = false;
    for flag in flags {
        let refuse = |reason| Err(Refused { flag: flag.clone(), reason });
        // Values are looked at as well, should clang and we disagree about what is one.
        if let Some(reason) = reason(flag) {
            return refuse(reason);
        }
        if !flag.starts_with('-') && !takes_value {
            return refuse(NO_FLAG);
        }
        takes_value = !takes_value && WITH_VALUE.contains(&flag.as_str());
    }
    Ok(())
}

fn reason(flag: &str) -> Option<&'static str> {
    // clang knows several long names with one and two dashes.
    let short = match flag.strip_prefix("--") {
        Some(_) => &flag[1..],
        None => flag,
    };
    if short == "-" {
        return Some(NO_FLAG);
    }
    let prefix = PREFIXES.iter().find(|(prefix, _)| short.starts_with(prefix));
    prefix.map(|(_, reason)| *reason).or_else(|| WHOLE.contains(&short).then_some(OUTPUT))
}

/// Whether some flag is about which warnings are wanted. Old programs, which gcc took without a word, would have hundreds.
pub fn ask_for_warnings(flags: &[String]) -> bool {
    const OTHERS: &[&str] = &["-Wno-", "-Werror", "-Wl,", "-Wa,", "-Wp,"];
    flags.iter().any(|flag| {
        let is_other = OTHERS.iter().any(|other| flag.starts_with(other));
        flag.starts_with("-pedantic") || flag.starts_with("-W") && !is_other
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(line: &str) -> Result<(), Refused> {
        check(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn the_flags_of_a_build_pass() {
        for line in [
            "",
            "-I include -Isrc -D N=5 -DM -U X -include config.h -isystem dir --sysroot dir -lm",
            "-std=gnu89 -ansi -pedantic -Wall -Wextra -Werror -w -Wno-unused -Wl,-z,now",
            "-O2 -g3 -ggdb -march=native -m32 -pthread -c -fno-strict-aliasing -fwrapv -fcommon",
            "-fsanitize=address -fstack-protector-strong -flto -fPIC -D_FORTIFY_SOURCE=2 -undef -nostdinc",
        ] {
            assert_eq!(checked(line), Ok(()), "{line}");
        }
    }

    #[test]
    fn warnings_are_wanted_or_not() {
        let asks = |line: &str| {
            ask_for_warnings(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        };
        assert!(asks("-Wall") && asks("-O2 -Wno-unused -Wextra") && asks("-pedantic"));
        assert!(!asks("") && !asks("-w -Wno-unused -Wl,-z,now -Werror -DW"));
    }

    #[test]
    fn what_runs_code_or_changes_the_output_is_refused() {
        for line in [
            "-fplugin=x.so",
            "-fplugin-arg-x-y",
            "-fpass-plugin=x.so",
            "-Xclang -load -Xclang x.so",
            "-Xpreprocessor -load",
            "-Wp,-load,x.so",
            "-mllvm -load=x.so",
            "-Bdir",
            "--prefix=dir",
            "--config=x",
            "--driver-mode=g++",
            "-I -fplugin=x.so",
            "@flags",
            "-o x",
            "-ox.bc",
            "--output=x",
            "-S",
            "-E",
            "-MD",
            "-MF x",
            "--help",
            "-save-temps",
            "-x c++",
            "-",
            "--",
            "other.c",
            "-I dir other.c",
            "-I -I other.c",
            "-DX other.c",
        ] {
            let refused = checked(line).expect_err(line);
            assert!(line.contains(&refused.flag), "{line}: {refused}");
        }
        let message =
            "the flag -fplugin=x is not passed to clang: it could load or run other programs";
        assert_eq!(
            checked("-fplugin=x").map_err(|refused| refused.to_string()),
            Err(message.to_owned())
        );
    }
}
