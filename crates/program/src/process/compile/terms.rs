//! Terms to instructions.

use rustc_hash::FxHashSet;
use term::Term;

use super::super::image::Generic;
use super::super::instruction::{Binary, Immediate, Instruction};
use super::patterns::{Part, Pattern};
use super::{Compiler, Home, slots};

impl Compiler<'_> {
    /// The slot that has the value of the term, after the code that computes it.
    pub(super) fn operand(&mut self, term: Term) -> Result<u32, String> {
        self.prepare(&[term])?;
        self.value(term)
    }

    /// Computes the term into a slot. The last instruction emitted writes it.
    pub(super) fn compute_into(&mut self, term: Term, to: u32) -> Result<(), String> {
        self.bits(term)?;
        let mut needed = self.pattern(term).operands();
        if needed.is_empty() {
            needed = self.terms.args(term).to_vec();
        }
        self.prepare(&needed)?;
        self.emit_term(term, to)
    }

    fn value(&self, term: Term) -> Result<u32, String> {
        match (self.values.get(&term), self.image.homes.get(&term)) {
            (Some(&slot), _) | (None, Some(&Home::Slot(slot))) => Ok(slot),
            _ => Err("a term has no value".to_owned()),
        }
    }

    /// Computes the terms, and what they need.
    fn prepare(&mut self, roots: &[Term]) -> Result<(), String> {
        let is_slot = |term: &Term| matches!(self.image.homes.get(term), Some(Home::Slot(_)));
        if roots.iter().all(|root| is_slot(root) || self.values.contains_key(root)) {
            return Ok(());
        }
        let nodes = self.terms.reachable(roots);
        let mut needed: FxHashSet<Term> = roots.iter().copied().collect();
        for &node in nodes.iter().rev() {
            if needed.contains(&node) && !self.values.contains_key(&node) {
                self.bits(node)?;
                match self.pattern(node) {
                    Pattern::Generic => needed.extend(self.terms.args(node)),
                    pattern => needed.extend(pattern.operands()),
                }
            }
        }
        for node in nodes {
            if !needed.contains(&node) || self.values.contains_key(&node) {
                continue;
            }
            match self.pattern(node) {
                Pattern::Variable if matches!(self.image.homes.get(&node), Some(Home::Slot(_))) => {
                }
                Pattern::Alias(other) => {
                    let slot = self.value(other)?;
                    self.values.insert(node, slot);
                }
                _ => {
                    let to = self.temporary(self.width(node));
                    self.emit_term(node, to)?;
                    self.values.insert(node, to);
                }
            }
        }
        Ok(())
    }

    /// Emits the instructions of one term whose operands are there.
    fn emit_term(&mut self, term: Term, to: u32) -> Result<(), String> {
        let wide = slots(self.width(term)) == 2;
        match self.pattern(term) {
            Pattern::Variable => match self.image.homes.get(&term) {
                Some(&Home::Slot(a)) => self.emit_move(to, a, wide),
                Some(&Home::Global(global)) => {
                    self.emit(Instruction::GetGlobal { to, global });
                    if wide {
                        self.emit(Instruction::GetGlobal { to: to + 1, global: global + 1 });
                    }
                }
                None => return Err("a variable is not declared".to_owned()),
            },
            Pattern::Constant(bits) => {
                self.emit(Instruction::Const { to, value: bits as u64 });
                if wide {
                    self.emit(Instruction::Const { to: to + 1, value: (bits >> 64) as u64 });
                }
            }
            Pattern::Alias(a) => {
                let a = self.value(a)?;
                self.emit_move(to, a, wide);
            }
            Pattern::Binary(op, s, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.emit(op.at(s, to, a, b));
            }
            Pattern::Immediate(op, s, a, c) => {
                let a = self.value(a)?;
                self.emit(op.at(s, to, a, c));
            }
            Pattern::Fold(op, s, terms) => self.emit_fold(op, s, to, &terms)?,
            Pattern::Sum(s, parts) => self.emit_sum(s, to, &parts)?,
            Pattern::Select(c, a, b) => {
                let (c, a, b) = (self.value(c)?, self.value(a)?, self.value(b)?);
                // The target is written before the others are read.
                let place = if to == c || to == a { self.temporary(64) } else { to };
                self.emit(Instruction::Move { to: place, a: b });
                self.emit(Instruction::Select { to: place, c, a });
                if place != to {
                    self.emit(Instruction::Move { to, a: place });
                }
            }
            Pattern::SignExtend(a) => {
                let (s, from) = (self.shift(term), self.shift(a));
                let a = self.value(a)?;
                self.emit(Instruction::SignExtend { s, from, to, a });
            }
            Pattern::Extract(a, low) => {
                let (s, a) = (self.shift(term), self.value(a)?);
                self.emit(Instruction::Extract { s, low, to, a });
            }
            Pattern::Concat(a, b) => {
                let shift = self.width(b) as u8;
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.emit(Instruction::Concat { shift, to, a, b });
            }
            Pattern::Float(op, s, a) => {
                let a = self.value(a)?;
                self.emit(Instruction::Float { op, s, to, a });
            }
            Pattern::Generic => self.emit_generic(term, to)?,
        }
        Ok(())
    }

    fn emit_move(&mut self, to: u32, a: u32, wide: bool) {
        self.emit(Instruction::Move { to, a });
        if wide {
            self.emit(Instruction::Move { to: to + 1, a: a + 1 });
        }
    }

    fn emit_fold(&mut self, op: Binary, s: u8, to: u32, terms: &[Term]) -> Result<(), String> {
        let [first, middle @ .., last] = terms else { return Ok(()) };
        let mut sum = self.value(*first)?;
        for &term in middle {
            let (place, b) = (self.temporary(64), self.value(term)?);
            self.emit(op.at(s, place, sum, b));
            sum = place;
        }
        let b = self.value(*last)?;
        self.emit(op.at(s, to, sum, b));
        Ok(())
    }

    fn emit_sum(&mut self, s: u8, to: u32, parts: &[Part]) -> Result<(), String> {
        let (first, mut rest) = match parts {
            [Part::Plus(first), rest @ ..] => (self.value(*first)?, rest),
            [Part::Constant(c), Part::Minus(a), rest @ ..] => {
                let place = if rest.is_empty() { to } else { self.temporary(64) };
                let a = self.value(*a)?;
                self.emit(Immediate::SubFromI.at(s, place, a, *c));
                (place, rest)
            }
            [Part::Constant(c), Part::Times(a, scale), rest @ ..] => {
                let product = self.temporary(64);
                let a = self.value(*a)?;
                self.emit(Immediate::MulI.at(s, product, a, i32::from(*scale)));
                let place = if rest.is_empty() { to } else { self.temporary(64) };
                self.emit(Immediate::AddI.at(s, place, product, *c));
                (place, rest)
            }
            _ => return Err("a sum has no beginning".to_owned()),
        };
        let mut sum = first;
        while let [part, others @ ..] = rest {
            let place = if others.is_empty() { to } else { self.temporary(64) };
            let instruction = match *part {
                Part::Plus(b) => Binary::Add.at(s, place, sum, self.value(b)?),
                Part::Minus(b) => Binary::Sub.at(s, place, sum, self.value(b)?),
                Part::Times(b, scale) => {
                    Instruction::Scaled { s, scale, to: place, a: sum, b: self.value(b)? }
                }
                Part::Constant(c) => Immediate::AddI.at(s, place, sum, c),
            };
            self.emit(instruction);
            (sum, rest) = (place, others);
        }
        Ok(())
    }

    fn emit_generic(&mut self, term: Term, to: u32) -> Result<(), String> {
        let arguments = self.terms.args(term).to_vec();
        let arguments = arguments
            .into_iter()
            .map(|a| Ok((self.terms.sort(a).clone(), self.value(a)?)))
            .collect::<Result<_, String>>()?;
        let (op, sort) = (self.terms.op(term), self.terms.sort(term).clone());
        let index = self.image.generics.len() as u32;
        self.image.generics.push(Generic { op, sort, arguments, to });
        self.emit(Instruction::Generic { index });
        Ok(())
    }
}
