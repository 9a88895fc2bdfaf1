//! math.h, compared with that of this machine bit by bit.

use program::process::{Response, Scalar};

use super::Desk;
use super::native::{Random, run};
use crate::Setup;

const ONE: [&str; 24] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1",
    "log", "log2", "log10", "log1p", "sqrt", "floor", "ceil", "trunc", "round", "rint", "logb",
    "fabs",
];
const TWO: [&str; 8] =
    ["atan2", "pow", "hypot", "fmod", "remainder", "fdim", "nextafter", "copysign"];

#[test]
fn functions_compute_what_the_library_computes() {
    let mut source = String::from(
        "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\
         static double d(unsigned long b) { double x; memcpy(&x, &b, 8); return x; }\n\
         static void show(double x) { unsigned long b; memcpy(&b, &x, 8); \
         if (x != x) b = 1; printf(\"%lx \", b); }\n\
         int main(void) { unsigned long a, b; while (scanf(\"%lx %lx\", &a, &b) == 2) {\n\
         double x = d(a), y = d(b); float f = x, g = y; int e; double w; (void)g;\n",
    );
    for name in ONE {
        source += &format!("show({name}(x)); show({name}f(f));\n");
    }
    for name in TWO {
        source += &format!("show({name}(x, y)); show({name}f(f, g));\n");
    }
    source += "show(ldexp(x, (int)a)); show(ldexpf(f, (int)a % 300)); show(frexp(x, &e)); show(e * 1.0);\n\
               show(modf(x, &w)); show(w); show((double)lrint(x)); show((double)lround(x)); show(ilogb(x));\n\
               printf(\"\\n\"); } }";
    let mut random = Random(3);
    let pairs: Vec<(f64, f64)> = (0..2000).map(|_| (random.double(), random.double())).collect();
    let input: String =
        pairs.iter().map(|(x, y)| format!("{:x} {:x}\n", x.to_bits(), y.to_bits())).collect();
    let expected = run("math", &source, &["-O0", "-fno-builtin"], &input);
    assert_eq!(expected.lines().count(), pairs.len());

    let mut desk = Desk::new(Setup::default());
    let place = desk.room(8);
    let mut wrong = Vec::new();
    for ((x, y), line) in pairs.iter().zip(expected.lines()) {
        let mut results = Vec::new();
        let (a, b) = (x.to_bits(), y.to_bits());
        let (f, g) = (u64::from((*x as f32).to_bits()), u64::from((*y as f32).to_bits()));
        for name in ONE {
            results.push((name.to_owned(), f64::from_bits(desk.call(name, &[a]))));
            results.push((format!("{name}f"), single(&mut desk, &format!("{name}f"), &[f])));
        }
        for name in TWO {
            results.push((name.to_owned(), f64::from_bits(desk.call(name, &[a, b]))));
            results.push((format!("{name}f"), single(&mut desk, &format!("{name}f"), &[f, g])));
        }
        let mut add = |name: &str, x: f64| results.push((name.to_owned(), x));
        add("ldexp", f64::from_bits(desk.call("ldexp", &[a, a & 0xffff_ffff])));
        let small = (a as i32 % 300) as u32;
        add("ldexpf", single(&mut desk, "ldexpf", &[f, small.into()]));
        add("frexp", f64::from_bits(desk.call("frexp", &[a, place])));
        let exponent = desk.memory.defined_bytes(place, 4).unwrap();
        add("frexp", crate::variadic::word(exponent) as i32 as f64);
        add("modf", f64::from_bits(desk.call("modf", &[a, place])));
        add("modf", f64::from_bits(desk.word(place)));
        add("lrint", desk.call("lrint", &[a]) as i64 as f64);
        add("lround", desk.call("lround", &[a]) as i64 as f64);
        add("ilogb", desk.int("ilogb", &[a]).into());
        for ((name, actual), expected) in results.iter().zip(line.split_whitespace()) {
            let bits = if actual.is_nan() { 1 } else { actual.to_bits() };
            // The exponent of what has none is not specified.
            let unspecified = name == "frexp" && !x.is_finite();
            if format!("{bits:x}") != expected && !unspecified {
                wrong.push(format!("{name}({x:e}, {y:e}) = {actual:e}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}

/// Calls a function of floats.
fn single(desk: &mut Desk, name: &str, arguments: &[u64]) -> f64 {
    let arguments: Vec<Scalar> = arguments.iter().map(|&word| Scalar::new(word.into())).collect();
    match desk.call_with(name, &arguments, &[32]).unwrap() {
        Response::Return { results, .. } => f32::from_bits(results[0].bits as u32).into(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn intrinsics_have_the_same_meaning() {
    let mut desk = Desk::new(Setup::default());
    assert_eq!(desk.call("llvm.floor.f64", &[1.5f64.to_bits()]), 1f64.to_bits());
    assert_eq!(single(&mut desk, "llvm.sqrt.f32", &[4f32.to_bits().into()]), 2.0);
    assert!(desk.world.unknown().is_empty());
}
