//! What functions of the world may do to the objects of a program.
//!
//! All that is said here about a function is which arguments it writes to, and what addresses it
//! stores and returns. A function that is not in the table writes nothing and may return any of its
//! arguments: the world knows no others that write.
//!
//! Not said here, because it is true of all: any function may set `errno`. That a new object gets
//! its first contents is no write: nobody has seen it with others. What is read from a file is no
//! address.

use Deed::*;

use super::rules::{Node, Rules};
use crate::program::EdgeId;

/// What a function does. Arguments are counted from 0.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    /// Writes to what the argument points to.
    Writes(usize),
    /// Writes to what each argument from this one on points to, and may store addresses of new
    /// objects.
    Fills(usize),
    /// The argument is a `va_list`, which is moved forward.
    Takes(usize),
    /// The argument is a `va_list`; all that it lists is filled.
    FillsListed(usize),
    /// Writes to what the memory at the argument points to.
    WritesThrough(usize),
    /// Writes the address of a new object to the argument.
    StoresNew(usize),
    /// Writes an address in the object of the second argument to the first.
    Stores(usize, usize),
    ReturnsNew,
    /// Returns a new object that begins as a copy of the one that the argument points to.
    ReturnsCopy(usize),
    Returns(usize),
    /// Returns what the world had before the program started.
    ReturnsStart,
    ReturnsErrno,
}

/// Ends of names: the same function in another version.
const VERSIONS: [&str; 2] = ["64", "_unlocked"];
/// Beginnings of names.
const STANDARDS: [&str; 2] = ["__isoc99_", "__isoc23_"];

fn plain(name: &str) -> &str {
    let name = STANDARDS.iter().find_map(|begin| name.strip_prefix(begin)).unwrap_or(name);
    VERSIONS.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// What the function does; none for one that is not known.
fn deeds(name: &str) -> Option<&'static [Deed]> {
    Some(match plain(name) {
        "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc" | "fopen" | "fdopen"
        | "tmpfile" => &[ReturnsNew],
        "realloc" | "reallocarray" => &[ReturnsCopy(0)],
        "posix_memalign" => &[StoresNew(0)],
        "fgets" | "gets" => &[Writes(0), Returns(0)],
        "tmpnam" => &[Writes(0), Returns(0), ReturnsStart],
        "freopen" => &[Returns(2)],
        "fread" | "time" | "gettimeofday" | "timespec_get" | "mkstemp" => &[Writes(0)],
        "__VERIFIER_nondet_memory" | "klee_make_symbolic" => &[Writes(0)],
        "read" | "clock_gettime" | "fgetpos" | "stat" | "lstat" | "fstat" => &[Writes(1)],
        "frexp" | "frexpf" | "frexpl" | "modf" | "modff" | "modfl" => &[Writes(1)],
        "sincos" | "sincosf" | "sincosl" => &[Writes(1), Writes(2)],
        "getline" | "getdelim" | "__getdelim" => &[StoresNew(0), Writes(1), WritesThrough(0)],
        "strtod" | "strtof" | "strtold" => &[Stores(1, 0)],
        "scanf" => &[Fills(1)],
        "fscanf" | "sscanf" => &[Fills(2)],
        "vscanf" => &[FillsListed(1)],
        "vfscanf" | "vsscanf" => &[FillsListed(2)],
        "vprintf" => &[Takes(1)],
        "vfprintf" | "vdprintf" | "__vprintf_chk" => &[Takes(2)],
        "__vfprintf_chk" => &[Takes(3)],
        "sprintf" | "snprintf" | "__sprintf_chk" | "__snprintf_chk" => &[Writes(0)],
        "vsprintf" => &[Writes(0), Takes(2)],
        "vsnprintf" => &[Writes(0), Takes(3)],
        "__vsprintf_chk" => &[Writes(0), Takes(4)],
        "__vsnprintf_chk" => &[Writes(0), Takes(5)],
        "asprintf" => &[StoresNew(0)],
        "vasprintf" => &[StoresNew(0), Takes(2)],
        "__whydunit_environment" => &[ReturnsStart],
        "__errno_location" => &[ReturnsErrno],
        "free" | "cfree" | "fwrite" | "write" | "lseek" | "ftell" | "ftello" | "clock"
        | "malloc_usable_size" | "popen" => &[],
        _ => return None,
    })
}

/// Whether the function makes an object.
pub fn makes(name: &str) -> bool {
    deeds(name).unwrap_or_default().iter().any(|deed| {
        matches!(deed, Fills(_) | FillsListed(_) | StoresNew(_) | ReturnsNew | ReturnsCopy(_))
    })
}

/// With `%n`, a function that prints writes to its arguments.
fn prints(name: &str) -> bool {
    name.contains("printf")
}

/// Whether one of these texts may be a format with this conversion.
pub fn converts<'a>(mut texts: impl Iterator<Item = &'a [u8]>, conversion: u8) -> bool {
    texts.any(|text| {
        text.split(|&byte| byte == b'%').skip(1).any(|directive| {
            let end = directive.iter().find(|byte| !b"0123456789#-+ '.*$hljztqLI".contains(byte));
            end == Some(&conversion)
        })
    })
}

/// A call of a function of the world.
pub struct Call<'a, N> {
    pub edge: EdgeId,
    pub name: &'a str,
    pub arguments: &'a [Option<N>],
    /// The result, if it may be an address.
    pub result: Option<N>,
    /// The object that the call may make.
    pub new: Option<u32>,
}

/// What is the same for all calls.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    pub start: u32,
    pub errno: u32,
    /// Points to `errno`.
    pub errno_address: u32,
    /// Whether there is a format with `%n`.
    pub counts: bool,
}

/// Writes down what a call may do.
pub fn act<N: Node>(call: &Call<'_, N>, given: Given, rules: &mut Rules<N>) {
    let argument = |n: usize| call.arguments.get(n).copied().flatten();
    let rest = |n: usize| call.arguments.iter().skip(n).flatten().copied();
    rules.write(call.edge, N::fixed(given.errno_address));
    let Some(deeds) = deeds(call.name) else {
        if let Some(result) = call.result {
            rest(0).for_each(|argument| rules.flow(argument, result));
        }
        if given.counts && prints(call.name) {
            rest(0).for_each(|argument| rules.write(call.edge, argument));
        }
        return;
    };
    for &deed in deeds {
        match deed {
            Writes(n) => argument(n).into_iter().for_each(|a| rules.write(call.edge, a)),
            Fills(n) => rest(n).for_each(|a| store_new(call, a, rules)),
            StoresNew(n) => argument(n).into_iter().for_each(|a| store_new(call, a, rules)),
            Takes(n) if !given.counts => {
                argument(n).into_iter().for_each(|a| rules.write(call.edge, a));
            }
            Takes(n) | FillsListed(n) => {
                if let Some(list) = argument(n) {
                    rules.write(call.edge, list);
                    let area = rules.loaded(list);
                    let place = rules.loaded(area);
                    store_new(call, place, rules);
                }
            }
            WritesThrough(n) => {
                if let Some(place) = argument(n) {
                    let object = rules.loaded(place);
                    rules.write(call.edge, object);
                }
            }
            Stores(n, m) => {
                if let Some(address) = argument(n) {
                    rules.write(call.edge, address);
                    argument(m).into_iter().for_each(|value| rules.store(address, value));
                }
            }
            ReturnsNew => rules.points(call.result, call.new),
            ReturnsCopy(n) => {
                rules.points(call.result, call.new);
                if let (Some(from), Some(to)) = (argument(n), call.result) {
                    let contents = rules.loaded(from);
                    rules.store(to, contents);
                }
            }
            Returns(n) => {
                if let (Some(from), Some(to)) = (argument(n), call.result) {
                    rules.flow(from, to);
                }
            }
            ReturnsStart => rules.points(call.result, Some(given.start)),
            ReturnsErrno => rules.points(call.result, Some(given.errno)),
        }
    }
    if given.counts && prints(call.name) {
        rest(0).for_each(|argument| rules.write(call.edge, argument));
    }
}

fn store_new<N: Node>(call: &Call<'_, N>, address: N, rules: &mut Rules<N>) {
    rules.write(call.edge, address);
    if call.new.is_some() {
        let new = rules.fresh();
        rules.points(Some(new), call.new);
        rules.store(address, new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_found_in_formats() {
        let has = |text: &str, conversion| converts([text.as_bytes()].into_iter(), conversion);
        assert!(has("%d%n", b'n') && has("100%% %5.3s %2$hhn", b'n') && has("%m", b'm'));
        assert!(!has("%d\n", b'n') && !has("n", b'n') && !has("%dn", b'n') && !has("%", b'n'));
    }

    #[test]
    fn versions_of_a_function_are_the_same() {
        for name in ["scanf", "__isoc99_scanf", "__isoc23_scanf"] {
            assert!(matches!(deeds(name), Some([Fills(1)])), "{name}");
        }
        assert!(matches!(deeds("fread_unlocked"), Some([Writes(0)])));
        assert!(deeds("puts").is_none() && makes("fopen64") && !makes("fgets"));
    }
}
