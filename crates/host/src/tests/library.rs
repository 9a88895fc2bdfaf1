//! The C library of the front end, compared with that of this machine.
//!
//! Its sources are compiled with other names into one program, which calls both and says where they differ.

use super::native::run;

/// The functions that are compared, by file.
const FILES: [(&str, &str); 8] = [
    (
        "string",
        "memcpy memmove memset mempcpy bcopy bzero explicit_bzero memcmp bcmp memchr rawmemchr memrchr memccpy \
         memmem swab strlen strnlen stpcpy strcpy stpncpy strncpy strcat strncat strlcpy strlcat strdup strndup \
         __strdup strcmp strcoll strncmp strcasecmp strncasecmp strxfrm strchr index strrchr rindex strchrnul \
         strspn strcspn strpbrk strstr strcasestr strtok_r __strtok_r strtok strsep basename ffs ffsl ffsll",
    ),
    (
        "ctype",
        "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc tolower toupper _tolower _toupper toascii isascii \
         isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit",
    ),
    (
        "number",
        "strtol strtoll strtoq strtoimax strtoul strtoull strtouq strtoumax atoi atol atoll atof abs labs llabs \
         imaxabs div ldiv lldiv imaxdiv",
    ),
    (
        "random",
        "srand srandom rand random rand_r srand48 drand48 lrand48 mrand48 erand48 nrand48 jrand48",
    ),
    ("sort", "qsort qsort_r bsearch lfind lsearch"),
    (
        "time",
        "tzname timezone daylight tzset difftime gmtime_r gmtime localtime_r localtime mktime timelocal timegm \
         strftime asctime asctime_r ctime ctime_r",
    ),
    ("getopt", "optarg optind opterr optopt getopt __posix_getopt getopt_long getopt_long_only"),
    ("error", "strerror strerror_r __xpg_strerror_r strsignal perror"),
];

/// Names that several files use for themselves.
const PRIVATE: &str = "length lower upper contains compare find find_last span span_without token byte digit parse \
    parsed sort fill seed state advance format add split join line next first last group exchange is_option is_end \
    order PERMUTE";

#[test]
fn the_library_does_what_glibc_does() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../llvm/clib");
    let mut source = include_str!("library/headers.c").to_owned();
    for (file, names) in FILES {
        let public = names.split_whitespace().map(|name| (name, format!("my_{name}")));
        let private = PRIVATE.split_whitespace().map(|name| (name, format!("{file}_{name}")));
        // A function may be a macro in the headers.
        let renames: Vec<(&str, String)> = public.chain(private).collect();
        for (name, new) in &renames {
            source += &format!("#undef {name}\n#define {name} {new}\n");
        }
        source += &format!("#include \"{folder}/{file}.c\"\n");
        for (name, _) in &renames {
            source += &format!("#undef {name}\n");
        }
    }
    source += include_str!("library/compare.c");
    let output = run("library", &source, &["-D__NO_CTYPE", "-fno-builtin", "-std=gnu11"], "");
    assert_eq!(output, "done\n");
}
