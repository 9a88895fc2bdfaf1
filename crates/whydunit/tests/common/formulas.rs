//! Formulas in source syntax, compared by their meaning. Names are variables: numbers in Boogie, `int` in C.

use std::time::Duration;

use solver::{Answer, Solver, Z3};
use term::{Sort, Term, Terms, Value};

/// Whether two formulas are equivalent.
pub fn equivalent(a: &str, b: &str, is_c: bool) -> Result<bool, String> {
    let mut terms = Terms::new();
    let sort = if is_c { Sort::BitVec(32) } else { Sort::Int };
    let mut read = |text: &str| {
        let mut reader = Reader { terms: &mut terms, sort: &sort, words: words(text), at: 0 };
        let formula = reader.or()?;
        match reader.words.get(reader.at) {
            None => Ok(formula),
            Some(word) => Err(format!("`{text}`: unexpected `{word}`")),
        }
    };
    let (a, b) = (read(a)?, read(b)?);
    let same = terms.eq(a, b);
    let differ = terms.not(same);
    Ok(Z3::new(Duration::from_secs(10)).check(&terms, &[differ]) == Answer::Unsat)
}

/// Names and numbers, and operators of one or two characters.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut joins = false;
    for character in text.chars() {
        let is_name = character.is_alphanumeric() || "_[].@".contains(character);
        let last = words.last_mut().filter(|_| joins);
        let pair = |word: &str| ["&&", "||", "==", "!=", "<=", ">="].contains(&word);
        match last {
            Some(word)
                if is_name && word.chars().all(|c| c.is_alphanumeric() || "_[].@".contains(c)) =>
            {
                word.push(character);
            }
            Some(word) if pair(&format!("{word}{character}")) => word.push(character),
            _ if character == ' ' => {}
            _ => words.push(character.to_string()),
        }
        joins = character != ' ';
    }
    words
}

struct Reader<'a> {
    terms: &'a mut Terms,
    sort: &'a Sort,
    words: Vec<String>,
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at).is_some_and(|next| next == word);
        self.at += usize::from(found);
        found
    }

    fn or(&mut self) -> Result<Term, String> {
        let mut parts = vec![self.and()?];
        while self.take("||") {
            parts.push(self.and()?);
        }
        Ok(self.terms.or(&parts))
    }

    fn and(&mut self) -> Result<Term, String> {
        let mut parts = vec![self.comparison()?];
        while self.take("&&") {
            parts.push(self.comparison()?);
        }
        Ok(self.terms.and(&parts))
    }

    fn comparison(&mut self) -> Result<Term, String> {
        if self.take("true") {
            return Ok(self.terms.bool(true));
        }
        if self.take("(") {
            let inner = self.or()?;
            return if self.take(")") { Ok(inner) } else { Err("a `)` is missing".to_owned()) };
        }
        let left = self.sum()?;
        let sign = self.words.get(self.at).cloned().unwrap_or_default();
        self.at += 1;
        let right = self.sum()?;
        let terms = &mut *self.terms;
        let mut less = |a, b| match self.sort {
            Sort::Int => terms.lt(a, b),
            _ => terms.bv_slt(a, b),
        };
        Ok(match sign.as_str() {
            "<" => less(left, right),
            ">" => less(right, left),
            "<=" => {
                let above = less(right, left);
                terms.not(above)
            }
            ">=" => {
                let below = less(left, right);
                terms.not(below)
            }
            "==" => terms.eq(left, right),
            "!=" => terms.ne(left, right),
            _ => return Err(format!("`{sign}` compares nothing")),
        })
    }

    fn sum(&mut self) -> Result<Term, String> {
        let mut sum = self.atom()?;
        loop {
            if self.take("+") {
                let next = self.atom()?;
                sum = self.terms.add(&[sum, next]);
            } else if self.take("-") {
                let next = self.atom()?;
                sum = self.terms.sub(sum, next);
            } else {
                return Ok(sum);
            }
        }
    }

    fn atom(&mut self) -> Result<Term, String> {
        if self.take("-") {
            let inner = self.atom()?;
            return Ok(self.terms.neg(inner));
        }
        let word = self.words.get(self.at).cloned().ok_or("a formula ends too early")?;
        self.at += 1;
        Ok(match word.parse::<i32>() {
            Ok(number) => {
                let value = Value::number(self.sort, &number.into());
                self.terms.constant(&value)
            }
            Err(_) => self.terms.var(&word, self.sort),
        })
    }
}
