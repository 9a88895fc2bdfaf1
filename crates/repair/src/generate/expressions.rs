//! Edits of expressions: operators, operands, names, constants, calls.

use program::syntax::{Class, Kind as Node, Meaning, NodeId, Role};

use super::levels::{self, ADD, ATOM, CHOICE, MULTIPLY, PREFIX, of_operator};
use super::pools::{is_comparison, is_like};
use super::{Dialect, Generator};
use crate::kinds::Kind;

const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// Functions that are mistaken for each other.
const FAMILIES: [&[&str]; 6] = [
    &["floor", "ceil", "round"],
    &["abs", "fabs", "labs"],
    &["islower", "isupper", "isalpha", "isdigit", "isalnum", "isspace"],
    &["tolower", "toupper"],
    &["strcpy", "strcat"],
    &["strchr", "strrchr"],
];

impl Generator<'_> {
    pub fn expression(&mut self, id: NodeId) {
        match self.syntax.kind(id) {
            Node::Binary => self.binary(id),
            Node::Assign => self.assignment(id),
            Node::Update => self.update(id),
            Node::Unary => self.unary(id),
            Node::Integer => self.integer(id),
            Node::Floating => self.floating(id),
            Node::Character => self.character(id),
            Node::Text => self.string(id),
            Node::Name => self.name(id),
            Node::Index => self.index(id),
            Node::Member => self.member(id),
            Node::Conditional => self.choice(id),
            Node::Cast => self.cast(id),
            Node::Call => self.call(id),
            Node::Sizeof => self.sizeof(id),
            _ => {}
        }
        self.offset(id);
    }

    fn sides(&self, id: NodeId) -> Option<(NodeId, NodeId)> {
        Some((self.syntax.child(id, Role::Left)?, self.syntax.child(id, Role::Right)?))
    }

    fn binary(&mut self, id: NodeId) {
        let Some((left, right)) = self.sides(id) else { return };
        let Some(at) = self.syntax.node(id).operator else { return };
        let operator = self.syntax.operator(id).to_owned();
        let (l, r) = (self.syntax.node(left).ty, self.syntax.node(right).ty);
        let boogie = self.given.dialect == Dialect::Boogie;
        let points = l.is_pointer() || r.is_pointer();
        // In Boogie, nothing but numbers has an order.
        let has_order = !points && (!boogie || l.is_number());
        let (kind, others): (Kind, &[&str]) = match operator.as_str() {
            op if is_comparison(op) && !has_order => (Kind::Relational, &["==", "!="]),
            op if is_comparison(op) => (Kind::Relational, &RELATIONS),
            "&&" | "||" => (Kind::Logical, &["&&", "||"]),
            "+" | "-" if points => (Kind::Arithmetic, &["+", "-"]),
            "+" => (Kind::Arithmetic, &["-", "*"]),
            "-" => (Kind::Arithmetic, &["+", "*", "/"]),
            "*" => (Kind::Arithmetic, &["/", "+", "-", "%"]),
            "/" => (Kind::Arithmetic, &["*", "%", "-"]),
            "%" => (Kind::Arithmetic, &["/", "-", "*"]),
            "div" => (Kind::Arithmetic, &["*", "mod", "-"]),
            "mod" => (Kind::Arithmetic, &["div", "-", "*"]),
            "&" => (Kind::Bitwise, &["&&", "|", "^"]),
            "|" => (Kind::Bitwise, &["||", "&", "^"]),
            "^" => (Kind::Bitwise, &["&", "|"]),
            "<<" => (Kind::Bitwise, &[">>"]),
            ">>" => (Kind::Bitwise, &["<<"]),
            _ => return,
        };
        for other in others {
            let is_known = match *other {
                "%" => l.is_integer() && r.is_integer() && !boogie,
                "/" => !boogie,
                _ => true,
            };
            let level = of_operator(other);
            let is_apart = self.level(left) >= level
                && self.level(right) > level
                && !self.is_mixed(self.level(left), level)
                && !self.is_mixed(self.level(right), level);
            if is_known && is_apart && self.fits_around(id, level) {
                self.operator(kind, id, at, other);
            } else if is_known {
                let new = format!(
                    "{} {other} {}",
                    self.operand(left, level),
                    self.operand(right, level + 1)
                );
                self.replace(kind, id, &new, level);
            }
        }
        self.parts_of(id, left, right, &operator, points);
        self.regrouped(id, left, right, &operator);
        if !points {
            self.formula(id, left, right, &operator);
        }
        if self.is_c() && !points {
            self.formulas(id, left, right, &operator);
        }
    }

    /// Whether a text of this level can stand where a node is, without parentheses.
    fn fits_around(&self, id: NodeId, level: u8) -> bool {
        !self.fitted(id, "", level).starts_with('(')
    }

    /// One of the operands instead of both; the operands exchanged.
    fn parts_of(&mut self, id: NodeId, left: NodeId, right: NodeId, operator: &str, points: bool) {
        if !is_comparison(operator) {
            for (side, part) in
                [(left, self.text(left).to_owned()), (right, self.text(right).to_owned())]
            {
                if !points || self.syntax.node(side).ty.is_pointer() {
                    self.replace(Kind::Part, id, &part, self.level(side));
                }
            }
        }
        if matches!(operator, "-" | "/" | "%" | "div" | "mod" | "<<" | ">>") && !points {
            let level = of_operator(operator);
            let (l, r) = (self.operand(right, level), self.operand(left, level + 1));
            self.replace(Kind::Swapped, id, &format!("{l} {operator} {r}"), level);
        }
    }

    /// `a - b / c` for `(a - b) / c`, and the other way round.
    fn regrouped(&mut self, id: NodeId, left: NodeId, right: NodeId, operator: &str) {
        let outer = of_operator(operator);
        for (side, is_left) in [(left, true), (right, false)] {
            let inner = self.syntax.bare(side);
            if self.syntax.kind(inner) != Node::Binary {
                continue;
            }
            let Some((a, b)) = self.sides(inner) else { continue };
            let own = self.syntax.operator(inner).to_owned();
            if own == operator && !matches!(operator, "-" | "/")
                || is_comparison(&own) != is_comparison(operator)
            {
                continue;
            }
            let level = of_operator(&own);
            let new = match is_left {
                true => {
                    let rest = format!(
                        "{} {operator} {}",
                        self.operand(b, outer),
                        self.operand(right, outer + 1)
                    );
                    format!("{} {own} ({rest})", self.operand(a, level))
                }
                false => {
                    let rest = format!(
                        "{} {operator} {}",
                        self.operand(left, outer),
                        self.operand(a, outer + 1)
                    );
                    let rest = if outer < level { format!("({rest})") } else { rest };
                    format!("{rest} {own} {}", self.operand(b, level + 1))
                }
            };
            let new = match is_left && outer > level {
                // The parentheses say nothing there.
                true => format!(
                    "{} {own} {} {operator} {}",
                    self.operand(a, level),
                    self.operand(b, outer),
                    self.operand(right, outer + 1)
                ),
                false => new,
            };
            self.replace(Kind::Regrouped, id, &new, level);
        }
    }

    /// Another operation, with another value on one side.
    fn formula(&mut self, id: NodeId, left: NodeId, right: NodeId, operator: &str) {
        let ty = self.syntax.node(id).ty;
        let is_leaf = |id: NodeId| {
            matches!(self.syntax.kind(id), Node::Name | Node::Integer | Node::Member | Node::Index)
        };
        let others: &[&str] = match (self.is_c(), ty.is_integer()) {
            _ if !matches!(operator, "+" | "-" | "*" | "/" | "%" | "div" | "mod") => return,
            _ if !ty.is_number() => return,
            (true, true) => &["+", "-", "*", "/", "%"],
            (true, false) => &["+", "-", "*", "/"],
            (false, true) => &["+", "-", "*", "div", "mod"],
            (false, false) => &["+", "-", "*", "/"],
        };
        let values = self.values_at(self.syntax.range(id).start);
        let (l, r) = (self.text(left).to_owned(), self.text(right).to_owned());
        let kept = [(left, true), (right, false)].map(|(side, is_left)| (is_leaf(side), is_left));
        let wanted = values.iter().filter(|it| is_like(it.ty, ty) && it.name != l && it.name != r);
        let names: Vec<String> = wanted.map(|it| it.name.clone()).collect();
        for name in names.iter().take(6) {
            for other in others.iter().filter(|it| **it != operator) {
                let level = of_operator(other);
                if kept[0].0 {
                    self.replace(Kind::Formula, id, &format!("{l} {other} {name}"), level);
                }
                if kept[1].0 {
                    self.replace(Kind::Formula, id, &format!("{name} {other} {r}"), level);
                }
            }
        }
    }

    /// What arithmetic is often meant to be: wider, rounded up, not negative.
    fn formulas(&mut self, id: NodeId, left: NodeId, right: NodeId, operator: &str) {
        let ty = self.syntax.node(id).ty;
        let (l, r) = (self.operand(left, PREFIX), self.operand(right, PREFIX));
        let right_of = |generator: &Generator<'_>, level| generator.operand(right, level);
        if matches!(operator, "*" | "+" | "-" | "<<") && ty.is_integer() {
            let level = of_operator(operator);
            let new = format!("(long long){l} {operator} {}", right_of(self, level + 1));
            self.replace(Kind::Cast, id, &new, level);
        }
        let of = self.syntax.parent(id).map_or("", |parent| self.syntax.operator(parent));
        let is_bits = matches!(of, "%" | "<<" | ">>" | "&" | "|" | "^" | "~" | "%=")
            || self.syntax.role(id) == Some(Role::Index);
        if matches!(operator, "*" | "/") && ty.is_number() && !is_bits {
            let level = of_operator(operator);
            let new = format!("(double){l} {operator} {}", right_of(self, level + 1));
            self.replace(Kind::Cast, id, &new, level);
        }
        if operator == "/" && ty.is_integer() {
            let (sum, by) = (self.operand(left, ADD), self.operand(right, ADD + 1));
            let new = format!("({sum} + {by} - 1) / {r}");
            self.replace_less(Kind::Arithmetic, id, &new, MULTIPLY, 4);
        }
        if operator == "%" && ty.is_integer() {
            let new = format!("({} % {r} + {r}) % {r}", self.operand(left, MULTIPLY));
            self.replace_less(Kind::Arithmetic, id, &new, MULTIPLY, 4);
        }
        if operator == "-" && ty.is_integer() {
            let new = format!("abs({})", self.text(id));
            self.replace_less(Kind::Function, id, &new, ATOM, 5);
        }
    }

    fn assignment(&mut self, id: NodeId) {
        let Some(at) = self.syntax.node(id).operator else { return };
        let Some(target) = self.syntax.child(id, Role::Left) else { return };
        if !self.is_c() {
            return;
        }
        let operator = self.syntax.operator(id).to_owned();
        let ty = self.syntax.node(target).ty;
        let is_value = self.syntax.parent(id).is_some_and(|parent| {
            !matches!(self.syntax.kind(parent), Node::Evaluate | Node::For | Node::Comma)
        });
        if operator == "=" && is_value {
            self.put(Kind::Assignment, id, at, "==");
        }
        let others: &[&str] = match operator.as_str() {
            _ if ty.depth > 0 || ty.class == Class::Other => &[],
            _ if ty.class != Class::Floating && operator == "=" => &["+=", "-=", "*=", "|="],
            _ if ty.class == Class::Floating => &["=", "+=", "-=", "*=", "/="],
            _ => &["=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^="],
        };
        others.iter().for_each(|other| self.operator(Kind::Assignment, id, at, other));
    }

    fn update(&mut self, id: NodeId) {
        let (Some(at), Some(of)) =
            (self.syntax.node(id).operator, self.syntax.child(id, Role::Operand))
        else {
            return;
        };
        let operator = self.syntax.operator(id).to_owned();
        let of = self.text(of).to_owned();
        let other = if operator == "++" { "--" } else { "++" };
        let is_before = self.text(id).starts_with(&operator);
        self.put(Kind::Update, id, at, other);
        let is_value = self.syntax.parent(id).is_some_and(|parent| {
            !matches!(self.syntax.kind(parent), Node::Evaluate | Node::For | Node::Comma)
        });
        if is_value {
            let turned = match is_before {
                true => format!("{of}{operator}"),
                false => format!("{operator}{of}"),
            };
            self.replace(Kind::Update, id, &turned, PREFIX);
            self.replace(Kind::Update, id, &of, ATOM);
        } else {
            let sign = if operator == "++" { "+=" } else { "-=" };
            self.replace_less(Kind::Update, id, &format!("{of} {sign} 2"), levels::ASSIGN, 10);
            for other in self.values_at(self.syntax.range(id).start) {
                if other.ty.is_integer() && other.name != of {
                    let new = format!("{of} {sign} {}", other.name);
                    self.replace_less(Kind::Update, id, &new, levels::ASSIGN, 16);
                }
            }
        }
    }

    fn unary(&mut self, id: NodeId) {
        let Some(of) = self.syntax.child(id, Role::Operand) else { return };
        if matches!(self.syntax.operator(id), "!" | "-" | "~") {
            let text = self.text(of).to_owned();
            self.replace(Kind::Unary, id, &text, self.level(of));
        }
    }

    fn is_size(&self, id: NodeId) -> bool {
        self.syntax.ancestors(id).take(4).any(|id| self.syntax.role(id) == Some(Role::Size))
    }

    fn integer(&mut self, id: NodeId) {
        let text = self.text(id).to_owned();
        let digits = text.trim_end_matches(|c: char| "uUlL".contains(c));
        let suffix = &text[digits.len()..];
        let Some(value) = parsed(digits) else { return };
        let (kind, near): (Kind, &[i128]) = match self.is_size(id) {
            true => (
                Kind::Size,
                &[value + 1, value + 2, value * 2, value * 10, value + 10, value + 100],
            ),
            false => (Kind::Constant, &[value + 1, value - 1]),
        };
        let spelled = |value: i128| match digits.starts_with("0x") {
            true if value >= 0 => format!("{value:#x}{suffix}"),
            _ => format!("{value}{suffix}"),
        };
        let level = |value: i128| if value < 0 { PREFIX } else { ATOM };
        for &other in near {
            self.replace(kind, id, &spelled(other), level(other));
        }
        if kind == Kind::Size {
            return;
        }
        let odd: [i128; 7] = [0, 1, value + 2, value - 2, -value, value * 10, value * 2];
        for other in odd.into_iter().filter(|it| *it != value) {
            let less = if other == 0 || other == 1 { 4 } else { 10 };
            self.replace_less(Kind::Constant, id, &spelled(other), level(other), less);
        }
        let others = self.pools.integers.clone();
        for other in others.iter().filter(|other| parsed(other).is_some_and(|it| it != value)) {
            self.replace_less(Kind::Constant, id, other, ATOM, 3);
        }
        let is_label = self.syntax.parent(id).is_some_and(|it| self.syntax.kind(it) == Node::Case);
        if !is_label {
            for other in self.values_at(self.syntax.range(id).start) {
                if other.ty.is_integer() {
                    self.replace(Kind::ConstantName, id, &other.name, ATOM);
                }
            }
        }
    }

    fn floating(&mut self, id: NodeId) {
        let text = self.text(id).to_owned();
        for other in ["0.0", "1.0", "0.5"] {
            self.replace_less(Kind::Constant, id, other, ATOM, 8);
        }
        if let Ok(value) = text.parse::<f64>() {
            for other in [value * 10.0, value / 10.0, -value] {
                let spelled = format!("{other:?}");
                let level = if other < 0.0 { PREFIX } else { ATOM };
                self.replace_less(Kind::Constant, id, &spelled, level, 10);
            }
        }
    }

    fn character(&mut self, id: NodeId) {
        let text = self.text(id).to_owned();
        let mut others = self.pools.characters.clone();
        if let [b'\'', letter, b'\''] = *text.as_bytes()
            && letter.is_ascii_alphanumeric()
        {
            let near = [letter + 1, letter - 1].into_iter().filter(u8::is_ascii_alphanumeric);
            others.extend(near.map(|it| format!("'{}'", char::from(it))));
            let other_case = match letter.is_ascii_lowercase() {
                true => letter.to_ascii_uppercase(),
                false => letter.to_ascii_lowercase(),
            };
            others.push(format!("'{}'", char::from(other_case)));
        }
        others.extend(
            ["'a'", "'A'", "'0'", "'z'", "'Z'", "'9'", "'\\0'", "'\\n'"].map(str::to_owned),
        );
        for other in others {
            self.replace(Kind::Constant, id, &other, ATOM);
        }
    }

    fn name(&mut self, id: NodeId) {
        let (name, at) = (self.text(id).to_owned(), self.syntax.range(id).start);
        let role = self.syntax.role(id);
        let parent = self.syntax.parent(id);
        let is_called = role == Some(Role::Base)
            && parent.is_some_and(|parent| self.syntax.kind(parent) == Node::Call);
        let is_declared = parent.is_some_and(|parent| self.syntax.kind(parent) == Node::Declarator)
            && role != Some(Role::Initial)
            && role != Some(Role::Size);
        let is_parameter =
            self.syntax.function(id).is_some() && self.syntax.statement(id).is_none();
        let is_label = role == Some(Role::Name) || is_parameter;
        if is_called {
            self.function(id, &name, at);
            return;
        }
        let own = self.syntax.node(id).ty;
        if is_declared || is_label || own.class == Class::Unknown {
            return;
        }
        let is_place = self.is_place(id);
        let others = match is_place {
            true => self.variables_at(at),
            false => self.values_at(at),
        };
        for other in others.iter().filter(|it| it.name != name && is_like(it.ty, own)) {
            let is_array = other.ty.is_array && is_place;
            let less = if other.ty.name == own.name { 0 } else { 6 };
            if !is_array {
                self.replace_less(Kind::Name, id, &other.name, ATOM, less);
            }
        }
        if own.is_integer() && !is_place {
            for constant in ["0", "1"] {
                self.replace_less(Kind::ConstantName, id, constant, ATOM, 3);
            }
            let is_operand = parent.is_some_and(|parent| self.syntax.kind(parent) == Node::Binary);
            if is_operand {
                for constant in self.pools.integers.clone() {
                    self.replace_less(Kind::ConstantName, id, &constant, ATOM, 5);
                }
            }
        }
    }

    /// Another function that takes as many arguments, or that is often mistaken for this one.
    fn function(&mut self, id: NodeId, name: &str, at: u32) {
        let family = FAMILIES.iter().find(|family| family.contains(&name));
        for other in family.into_iter().flat_map(|family| family.iter()) {
            self.put(Kind::Function, id, self.syntax.range(id), other);
        }
        let scope = self.syntax.in_scope(at);
        let count = |name: &str| {
            let found = scope.iter().find(|it| it.name == name)?;
            match found.meaning {
                Meaning::Function(count) => Some((count, found.ty)),
                _ => None,
            }
        };
        let Some(own) = count(name) else { return };
        let others: Vec<String> = scope
            .iter()
            .filter(|it| it.name != name && it.name != "main" && count(&it.name) == Some(own))
            .map(|it| it.name.clone())
            .collect();
        for other in others {
            self.put(Kind::Function, id, self.syntax.range(id), &other);
        }
    }

    fn index(&mut self, id: NodeId) {
        let (Some(base), Some(index)) =
            (self.syntax.child(id, Role::Base), self.syntax.child(id, Role::Index))
        else {
            return;
        };
        if self.syntax.kind(base) == Node::Index
            && let (Some(array), Some(first)) =
                (self.syntax.child(base, Role::Base), self.syntax.child(base, Role::Index))
        {
            let (array, first, second) = (self.text(array), self.text(first), self.text(index));
            let new = format!("{array}[{second}][{first}]");
            self.replace(Kind::Indices, id, &new, ATOM);
        }
        if self.syntax.node(id).ty.is_integer() && !self.is_place(id) {
            let index = self.text(index).to_owned();
            self.replace_less(Kind::Part, id, &index, levels::COMMA, 4);
        }
    }

    fn member(&mut self, id: NodeId) {
        let (Some(base), Some(name)) =
            (self.syntax.child(id, Role::Base), self.syntax.child(id, Role::Name))
        else {
            return;
        };
        let (own, of) = (self.syntax.node(id).ty, self.syntax.node(base).ty);
        let members = self.syntax.members.get(&of.name).cloned().unwrap_or_default();
        for (other, ty) in members {
            if other != self.text(name) && is_like(ty, own) && ty.is_array == own.is_array {
                self.put(Kind::Member, id, self.syntax.range(name), &other);
            }
        }
    }

    fn choice(&mut self, id: NodeId) {
        let part = |role| self.syntax.child(id, role);
        let (Some(condition), Some(a), Some(b)) =
            (part(Role::Condition), part(Role::Then), part(Role::Else))
        else {
            return;
        };
        let condition = self.text(condition);
        let (a, b) = (self.operand(a, CHOICE), self.operand(b, CHOICE));
        let new = match self.given.dialect {
            Dialect::C => format!("{condition} ? {b} : {a}"),
            Dialect::Boogie => format!("if {condition} then {b} else {a}"),
        };
        self.replace(Kind::Branches, id, &new, CHOICE);
    }

    fn cast(&mut self, id: NodeId) {
        let Some(of) = self.syntax.child(id, Role::Operand) else { return };
        let text = self.text(of).to_owned();
        if self.syntax.node(id).ty.is_pointer() {
            return;
        }
        self.replace(Kind::Cast, id, &text, self.level(of));
        if self.syntax.node(id).ty.is_integer() {
            let new = format!("(long long){}", self.operand(of, PREFIX));
            self.replace(Kind::Cast, id, &new, PREFIX);
        }
    }

    fn call(&mut self, id: NodeId) {
        let Some(base) = self.syntax.child(id, Role::Base) else { return };
        let name = self.text(base).to_owned();
        let arguments: Vec<NodeId> = self.syntax.children(id, Role::Argument).collect();
        for pair in arguments.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let (x, y) = (self.syntax.node(a).ty, self.syntax.node(b).ty);
            let is_text = self.syntax.kind(a) == Node::Text;
            if is_text || !(is_like(x, y) || x.class == Class::Unknown && y.class == Class::Unknown)
            {
                continue;
            }
            let replacement = |of: NodeId, by: NodeId| crate::edit::Replacement {
                range: self.syntax.range(of),
                new: self.text(by).to_owned(),
            };
            let both = vec![replacement(a, b), replacement(b, a)];
            let weight = self.given.weights.weight(Kind::Argument, "", "");
            self.add(Kind::Argument, id, weight, both);
        }
        self.fewer(id, &name, &arguments);
        if matches!(name.as_str(), "malloc" | "alloca" | "realloc" | "calloc" | "memset" | "memcpy")
            && let Some(&size) = arguments.last()
        {
            let (sum, factor) = (self.operand(size, ADD), self.operand(size, MULTIPLY));
            self.replace(Kind::Size, size, &format!("{sum} + 1"), ADD);
            for ty in ["int", "char *", "long", "double"] {
                if !self.text(size).contains("sizeof") {
                    self.replace_less(
                        Kind::Size,
                        size,
                        &format!("{factor} * sizeof({ty})"),
                        MULTIPLY,
                        6,
                    );
                }
            }
        }
    }

    /// `sizeof *p` for `sizeof p`.
    fn sizeof(&mut self, id: NodeId) {
        let Some(of) = self.syntax.child(id, Role::Operand) else { return };
        let inner = self.syntax.bare(of);
        let ty = self.syntax.node(inner).ty;
        if ty.is_pointer() && !ty.is_array {
            let new = format!("sizeof(*{})", self.operand(inner, PREFIX));
            self.replace(Kind::Size, id, &new, PREFIX);
        }
        if self.syntax.kind(inner) == Node::Dereference
            && let Some(pointer) = self.syntax.child(inner, Role::Operand)
        {
            let new = format!("sizeof({})", self.text(pointer));
            self.replace(Kind::Size, id, &new, PREFIX);
        }
    }

    /// The value of a whole expression plus or minus one: where a bound, an index, a value is wanted.
    fn offset(&mut self, id: NodeId) {
        let kind = self.syntax.kind(id);
        let ty = self.syntax.node(id).ty;
        let is_arithmetic = matches!(kind, Node::Name | Node::Member | Node::Index | Node::Call)
            || kind == Node::Binary && self.level(id) >= ADD;
        let (Some(parent), Some(role)) = (self.syntax.parent(id), self.syntax.role(id)) else {
            return;
        };
        let of_comparison =
            self.syntax.kind(parent) == Node::Binary && is_comparison(self.syntax.operator(parent));
        let is_wanted = matches!(role, Role::Index | Role::Argument | Role::Size | Role::Initial)
            || of_comparison
            || self.syntax.kind(parent) == Node::Return
            || self.syntax.kind(parent) == Node::Assign && role == Role::Right
            || self.syntax.kind(parent) == Node::Conditional && role != Role::Condition;
        if !is_arithmetic || !is_wanted || !ty.is_integer() {
            return;
        }
        let kind = match role {
            Role::Index => Kind::Index,
            Role::Size => Kind::Size,
            _ => Kind::Offset,
        };
        // Who asks whether two values are equal seldom means the next one, nor does who passes one on.
        let less = match (self.syntax.operator(parent), role) {
            ("==" | "!=", _) => 14,
            (_, Role::Argument) => 8,
            _ => 0,
        };
        let text = self.operand(id, ADD);
        for sign in ["+", "-"] {
            let new = format!("{text} {sign} 1");
            self.replace_less(kind, id, &new, ADD, less);
        }
    }
}

/// The value of an integer as it is written.
fn parsed(digits: &str) -> Option<i128> {
    let digits = digits.trim_end_matches(|c: char| "uUlL".contains(c));
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', rest @ ..] if !rest.is_empty() => (&digits[1..], 8),
        _ => (digits, 10),
    };
    i128::from_str_radix(digits, radix).ok().filter(|value| *value < 1 << 100)
}
