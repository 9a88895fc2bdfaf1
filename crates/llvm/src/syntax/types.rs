//! The types of expressions, from the inside outwards.

use program::syntax::{Class, Declaration, Kind, Meaning, NodeId, Role, Syntax, Type};
use std::collections::HashMap;

/// Gives each expression its type, where that is known.
pub fn decide(syntax: &mut Syntax) {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, declaration) in syntax.declarations.iter().enumerate() {
        by_name.entry(declaration.name.clone()).or_default().push(number);
    }
    let int = Type {
        class: Class::Integer,
        name: syntax.type_named("int"),
        depth: 0,
        is_array: false,
    };
    let double = Type { class: Class::Floating, name: syntax.type_named("double"), ..int };
    let text = Type { class: Class::Character, name: syntax.type_named("char"), depth: 1, ..int };
    // Children come after their parents.
    for id in syntax.ids().collect::<Vec<_>>().into_iter().rev() {
        let known = Known { syntax, by_name: &by_name, int, double, text };
        let ty = known.type_of(id);
        let is_floating = syntax.kind(id) == Kind::Integer && ty.class == Class::Floating;
        let node = &mut syntax.nodes[id.index()];
        node.ty = ty;
        if is_floating {
            node.kind = Kind::Floating;
        }
    }
}

struct Known<'s> {
    syntax: &'s Syntax,
    by_name: &'s HashMap<String, Vec<usize>>,
    int: Type,
    double: Type,
    text: Type,
}

impl Known<'_> {
    fn of(&self, id: NodeId, role: Role) -> Type {
        self.syntax.child(id, role).map_or(Type::UNKNOWN, |child| self.syntax.node(child).ty)
    }

    fn type_of(&self, id: NodeId) -> Type {
        match self.syntax.kind(id) {
            Kind::Integer => self.number(id),
            Kind::Character | Kind::Sizeof | Kind::Unary if self.is_truth_or_constant(id) => self.int,
            Kind::Unary | Kind::Parenthesised => {
                self.of(id, Role::Operand).max(self.of(id, Role::Item))
            }
            Kind::Update => self.of(id, Role::Operand),
            Kind::Text => self.text,
            Kind::Name => self.name(id),
            Kind::Binary => self.binary(id),
            Kind::Assign => self.of(id, Role::Left),
            Kind::Dereference => inner(self.of(id, Role::Operand)),
            Kind::AddressOf => outer(self.of(id, Role::Operand)),
            Kind::Index => inner(self.of(id, Role::Base)),
            Kind::Member => self.member(id),
            Kind::Call => self.call(id),
            Kind::Cast => self.cast(id),
            Kind::Conditional => self.of(id, Role::Then),
            Kind::Comma => self.of(id, Role::Right),
            _ => Type::UNKNOWN,
        }
    }

    fn is_truth_or_constant(&self, id: NodeId) -> bool {
        self.syntax.kind(id) != Kind::Unary || self.syntax.operator(id) == "!"
    }

    fn number(&self, id: NodeId) -> Type {
        let text = self.syntax.text_of(id);
        let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        match !is_hexadecimal && text.contains(['.', 'e', 'E']) {
            true => self.double,
            false => self.int,
        }
    }

    fn declaration(&self, name: &str, at: u32) -> Option<&Declaration> {
        let all = self.by_name.get(name)?.iter().map(|&number| &self.syntax.declarations[number]);
        all.filter(|it| it.scope.start <= at && at <= it.scope.end).max_by_key(|it| it.scope.start)
    }

    fn name(&self, id: NodeId) -> Type {
        let found = self.declaration(self.syntax.text_of(id), self.syntax.range(id).start);
        match found {
            Some(declaration) if !matches!(declaration.meaning, Meaning::Function(_)) => {
                declaration.ty
            }
            _ => Type::UNKNOWN,
        }
    }

    fn binary(&self, id: NodeId) -> Type {
        let (left, right) = (self.of(id, Role::Left), self.of(id, Role::Right));
        match self.syntax.operator(id) {
            "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||" => self.int,
            "-" if left.is_pointer() && right.is_pointer() => self.int,
            _ if left.is_pointer() => Type { is_array: false, ..left },
            _ if right.is_pointer() => Type { is_array: false, ..right },
            _ if left.class == Class::Unknown || right.class == Class::Unknown => Type::UNKNOWN,
            _ if left.class == Class::Floating => left,
            _ if right.class == Class::Floating => right,
            _ if left.class == Class::Integer => left,
            _ => right,
        }
    }

    fn member(&self, id: NodeId) -> Type {
        let of = self.of(id, Role::Base);
        let name = self.syntax.child(id, Role::Name).map(|name| self.syntax.text_of(name));
        let members = self.syntax.members.get(&of.name);
        let found = members.and_then(|all| all.iter().find(|(known, _)| Some(&known[..]) == name));
        found.map_or(Type::UNKNOWN, |(_, ty)| *ty)
    }

    fn call(&self, id: NodeId) -> Type {
        let Some(base) = self.syntax.child(id, Role::Base) else { return Type::UNKNOWN };
        let name = self.syntax.text_of(base);
        match self.declaration(name, self.syntax.range(id).start) {
            Some(Declaration { meaning: Meaning::Function(_), ty, .. }) => *ty,
            _ => match name {
                "strlen" | "abs" | "atoi" | "strcmp" | "strncmp" | "memcmp" | "getchar"
                | "toupper" | "tolower" | "isalpha" | "isdigit" | "isspace" => self.int,
                "sqrt" | "pow" | "ceil" | "floor" | "fabs" | "atof" | "round" => self.double,
                _ => Type::UNKNOWN,
            },
        }
    }

    fn cast(&self, id: NodeId) -> Type {
        let Some(to) = self.syntax.child(id, Role::Type) else { return Type::UNKNOWN };
        let text = self.syntax.text_of(to);
        let depth = text.matches('*').count() as u8;
        let name = text.replace(['*', '(', ')'], " ");
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = self.syntax.types.iter().position(|it| *it == name);
        let number = known.map_or(u32::MAX, |number| number as u32);
        Type { class: super::names::class(&name), name: number, depth, is_array: false }
    }
}

trait Max {
    fn max(self, other: Type) -> Type;
}

impl Max for Type {
    /// The one that is known.
    fn max(self, other: Type) -> Type {
        if self.class == Class::Unknown { other } else { self }
    }
}

fn inner(ty: Type) -> Type {
    match ty.depth {
        0 => Type::UNKNOWN,
        depth => Type { depth: depth - 1, is_array: ty.is_array && depth > 1, ..ty },
    }
}

fn outer(ty: Type) -> Type {
    match ty.class {
        Class::Unknown => ty,
        _ => Type { depth: ty.depth.saturating_add(1), is_array: false, ..ty },
    }
}
