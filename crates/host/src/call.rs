//! A call of the program: its arguments, checked, and its results.

use program::process::{Detail, ExternalCall, Fault, Nature, Objects, Response, Scalar};
use program::{EdgeId, FailureKind};

/// What a function of the world returns.
pub(crate) type Answer = Result<Response, Fault>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a>(pub ExternalCall<'a>);

impl Call<'_> {
    pub fn edge(&self) -> EdgeId {
        self.0.edge
    }

    /// The low bits of an argument, which must be defined.
    pub fn bits(&self, index: usize, width: u32) -> Result<u128, Fault> {
        let Some(argument) = self.0.arguments.get(index) else {
            return Err(self.missing(index));
        };
        let mask = mask(width);
        if argument.undefined & mask != 0 {
            return Err(self.undefined(index));
        }
        Ok(argument.bits & mask)
    }

    pub fn word(&self, index: usize) -> Result<u64, Fault> {
        Ok(self.bits(index, 64)? as u64)
    }

    pub fn int(&self, index: usize) -> Result<i32, Fault> {
        Ok(self.bits(index, 32)? as u32 as i32)
    }

    pub fn double(&self, index: usize) -> Result<f64, Fault> {
        Ok(f64::from_bits(self.word(index)?))
    }

    pub fn float(&self, index: usize) -> Result<f32, Fault> {
        Ok(f32::from_bits(self.bits(index, 32)? as u32))
    }

    pub fn string(&self, index: usize, memory: &Objects) -> Result<Vec<u8>, Fault> {
        Ok(memory.string(self.word(index)?)?.to_vec())
    }

    pub fn missing(&self, index: usize) -> Fault {
        let text =
            format!("`{}` needs an argument {}, which the call lacks", self.0.name, index + 1);
        fault(FailureKind::Uninitialised, text)
    }

    pub fn undefined(&self, index: usize) -> Fault {
        let text = format!("argument {} of `{}` was never given a value", index + 1, self.0.name);
        fault(FailureKind::Uninitialised, text)
    }

    /// Returns a value with as many bits as the caller takes, if it takes any.
    fn returns(&self, bits: u128, nature: Nature) -> Answer {
        let results = self.0.results.iter().enumerate();
        let results =
            results.map(|(i, &width)| Scalar::new(if i == 0 { bits & mask(width) } else { 0 }));
        Ok(Response::Return { results: results.collect(), nature })
    }

    /// An address, success or failure.
    pub fn fixed(&self, bits: u64) -> Answer {
        self.returns(bits.into(), Nature::Fixed)
    }

    /// A number that is computed from arguments and memory.
    pub fn opaque(&self, number: i64) -> Answer {
        self.returns(number as u64 as u128, Nature::Opaque)
    }

    pub fn opaque_double(&self, x: f64) -> Answer {
        self.returns(x.to_bits().into(), Nature::Opaque)
    }

    pub fn opaque_float(&self, x: f32) -> Answer {
        self.returns(x.to_bits().into(), Nature::Opaque)
    }

    /// What came from outside.
    pub fn input(&self, number: i64) -> Answer {
        // Sign-extended, because nobody knows how wide the result is.
        self.returns(number as i128 as u128, Nature::Input)
    }

    pub fn input_bits(&self, bits: u128) -> Answer {
        self.returns(bits, Nature::Input)
    }

    /// -1, NULL and the like, or success: known without looking at values.
    pub fn status(&self, number: i32) -> Answer {
        self.returns(i128::from(number) as u128, Nature::Fixed)
    }
}

pub(crate) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

pub(crate) fn fault(kind: FailureKind, text: impl Into<String>) -> Fault {
    Fault { kind, detail: Detail::Text(text.into()) }
}
