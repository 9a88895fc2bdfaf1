//! Which names are known where, and of which types they are, as far as the text tells.

use program::syntax::{Class, Declaration, Meaning, Range, Syntax, Type};
use tree_sitter::Node as Parsed;

/// Adds the declarations of a text, and those of the headers before it.
pub fn declare(syntax: &mut Syntax, root: Parsed<'_>, before: &[&Syntax]) {
    let whole = Range::new(0, syntax.text.len());
    for header in before {
        for known in header.declarations.iter().filter(|known| known.is_global) {
            let ty = adopted(syntax, header, known.ty);
            syntax.declarations.push(Declaration { ty, scope: whole, ..known.clone() });
        }
        for (&number, members) in &header.members {
            let own = syntax.type_named(&header.types[number as usize]);
            let members: Vec<(String, Type)> = members
                .iter()
                .map(|(name, ty)| (name.clone(), adopted(syntax, header, *ty)))
                .collect();
            syntax.members.insert(own, members);
        }
    }
    let mut names = Names { syntax, aliases: Vec::new() };
    names.walk(root, whole, 0);
}

/// The same type by the numbers of another text.
fn adopted(syntax: &mut Syntax, header: &Syntax, ty: Type) -> Type {
    match header.types.get(ty.name as usize) {
        Some(name) => Type { name: syntax.type_named(name), ..ty },
        None => ty,
    }
}

struct Names<'s> {
    syntax: &'s mut Syntax,
    /// What `typedef` names.
    aliases: Vec<(String, Type)>,
}

/// What a declarator says.
struct Declared<'t> {
    name: Parsed<'t>,
    ty: Type,
    parameters: Option<Parsed<'t>>,
    is_set: bool,
}

impl Names<'_> {
    /// Declares what is in a node; it is known up to the end of `scope`.
    fn walk(&mut self, node: Parsed<'_>, scope: Range, depth: usize) {
        if depth > super::DEEPEST {
            return;
        }
        let own = Range::new(node.start_byte(), node.end_byte());
        let scope = match node.kind() {
            "compound_statement" | "for_statement" | "function_definition" => own,
            _ => scope,
        };
        match node.kind() {
            "declaration" => self.declaration(node, scope, depth),
            "type_definition" => self.alias(node),
            "function_definition" => self.function(node, depth),
            "struct_specifier" | "union_specifier" => {
                self.members(node, None);
            }
            "enumerator" => self.constant(node, scope),
            "preproc_def" => self.constant(node, Range { start: own.start, ..self.whole() }),
            _ => {}
        }
        let mut cursor = node.walk();
        let children: Vec<Parsed<'_>> = node.named_children(&mut cursor).collect();
        for child in children {
            self.walk(child, scope, depth + 1);
        }
    }

    fn whole(&self) -> Range {
        Range::new(0, self.syntax.text.len())
    }

    fn text(&self, node: Parsed<'_>) -> String {
        let range = Range::new(node.start_byte(), node.end_byte());
        self.syntax.slice(range).to_owned()
    }

    fn add(&mut self, declared: &Declared<'_>, meaning: Meaning, scope: Range, is_global: bool) {
        let name = self.text(declared.name);
        let (ty, is_set) = (declared.ty, declared.is_set);
        self.syntax.declarations.push(Declaration { name, ty, meaning, scope, is_global, is_set });
    }

    fn declaration(&mut self, node: Parsed<'_>, scope: Range, depth: usize) {
        let Some(base) = node.child_by_field_name("type").map(|ty| self.base(ty)) else { return };
        let is_global = scope == self.whole();
        let is_kept = is_global || self.has_word(node, "static") || self.has_word(node, "extern");
        let is_fixed = self.has_word(node, "const");
        let mut cursor = node.walk();
        let all: Vec<Parsed<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in all {
            let Some(mut declared) = declared(declarator, base, depth) else { continue };
            declared.is_set |= is_kept;
            // It is known from its own declarator on.
            let known = Range { start: declarator.end_byte() as u32, end: scope.end };
            let meaning = match declared.parameters {
                Some(list) => Meaning::Function(self.count(list)),
                None if is_fixed && declared.ty.depth == 0 => Meaning::Constant,
                None => Meaning::Variable,
            };
            self.add(&declared, meaning, known, is_global);
        }
    }

    /// Whether one of these words is among what comes before the type, or after it.
    fn has_word(&self, node: Parsed<'_>, word: &str) -> bool {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).any(|child| {
            matches!(child.kind(), "storage_class_specifier" | "type_qualifier")
                && self.syntax.text.get(child.byte_range()) == Some(word)
        })
    }

    fn alias(&mut self, node: Parsed<'_>) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        let mut cursor = node.walk();
        let all: Vec<Parsed<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in all {
            let name = match declarator.kind() {
                "type_identifier" => declarator,
                _ => match declared(declarator, Type::UNKNOWN, 0) {
                    Some(inner) => inner.name,
                    None => continue,
                },
            };
            let name = self.text(name);
            let is_record = matches!(ty.kind(), "struct_specifier" | "union_specifier");
            let base = match is_record && ty.child_by_field_name("name").is_none() {
                true => self.members(ty, Some(&name)).unwrap_or(Type::UNKNOWN),
                false => self.base(ty),
            };
            let of = declared(declarator, base, 0).map_or(base, |inner| inner.ty);
            self.aliases.push((name, of));
        }
    }

    fn function(&mut self, node: Parsed<'_>, depth: usize) {
        let Some(declarator) = node.child_by_field_name("declarator") else { return };
        let base = node.child_by_field_name("type").map(|ty| self.base(ty));
        let base = base.unwrap_or(Type::UNKNOWN);
        let Some(declared) = declared(declarator, base, depth) else { return };
        let Some(list) = declared.parameters else { return };
        let known = Range { start: node.start_byte() as u32, end: self.whole().end };
        let count = self.count(list);
        self.add(&declared, Meaning::Function(count), known, true);
        let body = Range::new(node.start_byte(), node.end_byte());
        let mut cursor = list.walk();
        let parameters: Vec<Parsed<'_>> = list.named_children(&mut cursor).collect();
        // Those of old-style definitions are declared between the list and the body.
        let mut cursor = node.walk();
        let old = node.named_children(&mut cursor).filter(|child| child.kind() == "declaration");
        for parameter in parameters.into_iter().chain(old) {
            self.parameter(parameter, body, depth);
        }
    }

    fn parameter(&mut self, node: Parsed<'_>, scope: Range, depth: usize) {
        let Some(ty) = node.child_by_field_name("type") else { return };
        let base = self.base(ty);
        let mut cursor = node.walk();
        let all: Vec<Parsed<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in all {
            let Some(mut declared) = declared_of_parameter(declarator, base, depth) else {
                continue;
            };
            declared.is_set = true;
            declared.ty.is_array = false;
            self.add(&declared, Meaning::Parameter, scope, false);
        }
    }

    /// How many parameters a list has; one `void` is none.
    fn count(&self, list: Parsed<'_>) -> usize {
        let mut cursor = list.walk();
        let all: Vec<Parsed<'_>> = list.named_children(&mut cursor).collect();
        match all[..] {
            [only] if self.syntax.text.get(only.byte_range()) == Some("void") => 0,
            _ => all.len(),
        }
    }

    fn constant(&mut self, node: Parsed<'_>, scope: Range) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let value = node.child_by_field_name("value");
        let is_number = value.is_none_or(|value| {
            let text = self.syntax.text.get(value.byte_range()).unwrap_or("");
            text.trim().trim_start_matches(['(', '-']).starts_with(|c: char| c.is_ascii_digit())
        });
        let class = if is_number { Class::Integer } else { Class::Unknown };
        let ty = Type { class, name: self.syntax.type_named("int"), depth: 0, is_array: false };
        let declared = Declared { name, ty, parameters: None, is_set: true };
        let is_global = scope.end == self.whole().end;
        self.add(&declared, Meaning::Constant, scope, is_global);
    }

    /// The members of a structure, by its name or the one that it is given. Its type.
    fn members(&mut self, node: Parsed<'_>, alias: Option<&str>) -> Option<Type> {
        let own = node.child_by_field_name("name").map(|name| self.text(name));
        let name = own.map(|own| format!("struct {own}")).or(alias.map(str::to_owned))?;
        let number = self.syntax.type_named(&name);
        if let Some(body) = node.child_by_field_name("body") {
            let mut found = Vec::new();
            let mut cursor = body.walk();
            let fields: Vec<Parsed<'_>> = body.named_children(&mut cursor).collect();
            for field in fields {
                let Some(ty) = field.child_by_field_name("type") else { continue };
                let base = self.base(ty);
                let mut cursor = field.walk();
                for declarator in field.children_by_field_name("declarator", &mut cursor) {
                    if let Some(declared) = declared(declarator, base, 0) {
                        found.push((self.text(declared.name), declared.ty));
                    }
                }
            }
            self.syntax.members.insert(number, found);
        }
        Some(Type { class: Class::Other, name: number, depth: 0, is_array: false })
    }

    /// The type that a specifier names.
    fn base(&mut self, node: Parsed<'_>) -> Type {
        match node.kind() {
            "struct_specifier" | "union_specifier" => {
                return self.members(node, None).unwrap_or(Type::UNKNOWN);
            }
            "enum_specifier" => return self.integer("int"),
            _ => {}
        }
        let text = self.text(node);
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((_, ty)) = self.aliases.iter().rev().find(|(known, _)| *known == name) {
            return *ty;
        }
        let class = class(&name);
        Type { class, name: self.syntax.type_named(&name), depth: 0, is_array: false }
    }

    fn integer(&mut self, name: &str) -> Type {
        let name = self.syntax.type_named(name);
        Type { class: Class::Integer, name, depth: 0, is_array: false }
    }
}

/// What kind of type a name stands for.
pub fn class(name: &str) -> Class {
    let words: Vec<&str> = name.split(' ').collect();
    let has = |word: &str| words.contains(&word);
    if has("double") || has("float") {
        return Class::Floating;
    }
    if has("char") {
        return Class::Character;
    }
    if has("bool") || has("_Bool") {
        return Class::Boolean;
    }
    const WORDS: [&str; 6] = ["int", "long", "short", "unsigned", "signed", "__int128"];
    const NAMES: [&str; 8] =
        ["size_t", "ssize_t", "ptrdiff_t", "time_t", "off_t", "wchar_t", "uint", "ulong"];
    let sized = name.trim_start_matches("__").trim_start_matches('u');
    let is_sized = sized.starts_with("int") && sized.ends_with("_t");
    match WORDS.into_iter().any(has) || NAMES.contains(&name) || is_sized {
        true => Class::Integer,
        false => Class::Other,
    }
}

/// What a declarator declares, if it is a name.
fn declared(declarator: Parsed<'_>, base: Type, depth: usize) -> Option<Declared<'_>> {
    let (mut node, mut ty, mut is_set) = (declarator, base, false);
    let mut parameters = None;
    for _ in depth..super::DEEPEST {
        match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" => {
                return Some(Declared { name: node, ty, parameters, is_set });
            }
            "init_declarator" => is_set = true,
            "array_declarator" => {
                ty.depth = ty.depth.saturating_add(1);
                ty.is_array = true;
            }
            "pointer_declarator" => {
                ty.depth = ty.depth.saturating_add(1);
                ty.is_array = false;
            }
            "function_declarator" => {
                let list = node.child_by_field_name("parameters");
                // A pointer to a function is a variable.
                let inner = node.child_by_field_name("declarator")?;
                match inner.kind() {
                    "parenthesized_declarator" => ty = Type::UNKNOWN,
                    _ => parameters = list,
                }
            }
            "parenthesized_declarator" | "attributed_declarator" => {
                node = node.named_child(0)?;
                continue;
            }
            _ => return None,
        }
        node = node.child_by_field_name("declarator").or_else(|| node.named_child(0))?;
    }
    None
}

/// The same for a parameter, which is never a function.
fn declared_of_parameter(declarator: Parsed<'_>, base: Type, depth: usize) -> Option<Declared<'_>> {
    let declared = declared(declarator, base, depth)?;
    declared.parameters.is_none().then_some(declared)
}
