//! What can be put into a place: constants, texts, comparisons and names of the file.

use program::syntax::{Declaration, Kind as Node, Meaning, NodeId, Role, Syntax, Type};
use rustc_hash::FxHashSet;

use super::{Dialect, Generator};

/// What a file has.
pub struct Pools {
    /// Integers in the order of the text, each once.
    pub integers: Vec<String>,
    pub characters: Vec<String>,
    pub texts: Vec<String>,
    /// Comparisons without effects, and the function that they are in.
    pub comparisons: Vec<(NodeId, Option<NodeId>)>,
    /// Elements of arrays that are read, and the function that they are in.
    pub elements: Vec<(NodeId, Option<NodeId>)>,
    /// Statements that print something, and such that print a text of the file.
    pub outputs: Vec<NodeId>,
    pub says: Vec<String>,
    /// Names that are assigned, or whose address is taken, and where first.
    assigned: Vec<(String, u32)>,
    dialect: Dialect,
}

/// Longer conditions and elements are not written elsewhere.
const LONGEST: usize = 40;
/// So many different texts are printed elsewhere.
const MOST_SAID: usize = 8;

impl Pools {
    pub fn of(syntax: &Syntax, dialect: Dialect) -> Pools {
        let mut pools = Pools {
            integers: Vec::new(),
            characters: Vec::new(),
            texts: Vec::new(),
            comparisons: Vec::new(),
            elements: Vec::new(),
            outputs: Vec::new(),
            says: Vec::new(),
            assigned: Vec::new(),
            dialect,
        };
        let mut seen: FxHashSet<(Node, &str)> = FxHashSet::default();
        let mut assigned: FxHashSet<&str> = FxHashSet::default();
        for id in syntax.ids() {
            let (kind, text) = (syntax.kind(id), syntax.text_of(id));
            let is_short = text.len() <= LONGEST;
            match kind {
                Node::Integer if seen.insert((kind, text)) => pools.integers.push(text.to_owned()),
                Node::Character if seen.insert((kind, text)) => {
                    pools.characters.push(text.to_owned());
                }
                Node::Text if is_short && seen.insert((kind, text)) => {
                    pools.texts.push(text.to_owned());
                }
                Node::Binary
                    if is_short
                        && is_comparison(syntax.operator(id))
                        && syntax.is_pure(id)
                        && syntax.function(id).is_some() =>
                {
                    pools.comparisons.push((id, syntax.function(id)));
                }
                Node::Index if text.len() <= LONGEST / 2 && syntax.is_pure(id) => {
                    pools.elements.push((id, syntax.function(id)));
                }
                Node::Evaluate if text.len() < 2 * LONGEST => {
                    if let Some(says) = output(syntax, id) {
                        pools.outputs.push(id);
                        let new = says.filter(|it| !pools.says.contains(it));
                        pools.says.extend(new);
                    }
                }
                Node::Assign | Node::Update | Node::AddressOf => {
                    let target = [Role::Left, Role::Operand].into_iter();
                    let target = target.filter_map(|role| syntax.child(id, role)).next();
                    if let Some(target) = target.map(|target| syntax.text_of(syntax.bare(target)))
                        && assigned.insert(target)
                    {
                        pools.assigned.push((target.to_owned(), syntax.range(id).start));
                    }
                }
                _ => {}
            }
        }
        let prints = |id: &NodeId| syntax.text_of(*id).starts_with("printf");
        if dialect == Dialect::C && pools.outputs.iter().any(prints) {
            let usual = [r#"printf("\n");"#, r#"printf(" ");"#].map(str::to_owned);
            let missing = usual.into_iter().filter(|it| !pools.says.contains(it));
            let missing: Vec<String> = missing.collect();
            pools.says.extend(missing);
        }
        pools.says.truncate(MOST_SAID);
        pools
    }

    /// Whether a call states what should hold, or is where the program gives up.
    pub fn is_claim(&self, syntax: &Syntax, call: NodeId) -> bool {
        let Some(base) = syntax.child(call, Role::Base) else { return false };
        let name = syntax.text_of(base);
        self.dialect == Dialect::C
            && (matches!(
                name,
                "assert" | "static_assert" | "_Static_assert" | "reach_error" | "abort"
            ) || name.starts_with("__VERIFIER_")
                || name.starts_with("__assert"))
    }

    /// Whether a name has a value at a place, as far as the text tells.
    fn is_set(&self, declaration: &Declaration, at: u32) -> bool {
        declaration.is_set
            || declaration.ty.is_array
            || self.assigned.iter().any(|(name, first)| *name == declaration.name && *first < at)
    }
}

/// Whether a statement prints something; and itself, if that is always the same.
fn output(syntax: &Syntax, id: NodeId) -> Option<Option<String>> {
    let call = syntax.child(id, Role::Operand).filter(|it| syntax.kind(*it) == Node::Call)?;
    let name = syntax.text_of(syntax.child(call, Role::Base)?);
    if !matches!(name, "printf" | "puts" | "putchar") {
        return None;
    }
    let mut arguments = syntax.children(call, Role::Argument);
    let is_text = |it: NodeId| {
        matches!(syntax.kind(it), Node::Text | Node::Character) && !syntax.text_of(it).contains('%')
    };
    let is_constant = arguments.next().is_some_and(is_text) && arguments.next().is_none();
    Some(is_constant.then(|| syntax.text_of(id).to_owned()))
}

pub fn is_comparison(operator: &str) -> bool {
    matches!(operator, "<" | "<=" | ">" | ">=" | "==" | "!=")
}

impl Generator<'_> {
    /// The values that can be used before a place, nearer declarations first; without functions.
    pub fn values_at(&self, at: u32) -> Vec<Declaration> {
        let mut found: Vec<Declaration> = self
            .syntax
            .in_scope(at)
            .into_iter()
            .filter(|it| !matches!(it.meaning, Meaning::Function(_)))
            .filter(|it| self.pools.is_set(it, at))
            // How many arguments a program has is seldom what is meant elsewhere.
            .filter(|it| !(it.name == "argc" || it.name == "argv" || it.name == "envp"))
            .cloned()
            .collect();
        found.sort_by_key(|it| std::cmp::Reverse(it.scope.start));
        found
    }

    /// The variables that can be assigned before a place.
    pub fn variables_at(&self, at: u32) -> Vec<Declaration> {
        let of_scope = self.syntax.in_scope(at).into_iter();
        let mut found: Vec<Declaration> = of_scope
            .filter(|it| {
                // In Boogie parameters are constants.
                it.meaning == Meaning::Variable
                    || it.meaning == Meaning::Parameter && self.given.dialect == Dialect::C
            })
            .filter(|it| it.name != "argc" && it.name != "argv")
            .cloned()
            .collect();
        found.sort_by_key(|it| std::cmp::Reverse(it.scope.start));
        found
    }

    /// Whether a node is what something is stored in, or whose address is taken.
    pub fn is_place(&self, id: NodeId) -> bool {
        let Some(parent) = self.syntax.parent(id) else { return true };
        match self.syntax.kind(parent) {
            Node::Parenthesised => self.is_place(parent),
            Node::Assign => self.syntax.role(id) == Some(Role::Left),
            // In Boogie, who assigns an element assigns the map.
            Node::Index if self.given.dialect == Dialect::Boogie => {
                self.syntax.role(id) == Some(Role::Base) && self.is_place(parent)
            }
            Node::Update | Node::AddressOf => true,
            Node::Member => true,
            _ => false,
        }
    }

    /// The names in a node.
    pub fn names_in(&self, id: NodeId) -> FxHashSet<String> {
        let all = self.syntax.within(id).into_iter();
        all.filter(|&id| self.syntax.kind(id) == Node::Name)
            .map(|id| self.text(id).to_owned())
            .collect()
    }

    /// Whether each name in a node means the same at another place.
    pub fn is_known_at(&self, id: NodeId, at: u32) -> bool {
        let names = self.names_in(id);
        let scope = self.syntax.in_scope(at);
        names.iter().all(|name| scope.iter().any(|it| it.name == *name))
    }
}

/// Whether two values can take each other's place.
pub fn is_like(a: Type, b: Type) -> bool {
    match (a.depth, b.depth) {
        (0, 0) => a.is_integer() && b.is_integer() || a.class == b.class && a.name == b.name,
        (a_depth, b_depth) => a_depth == b_depth && a.class == b.class && a.name == b.name,
    }
}
