//! Functions that the text needs: built-in operations on bit-vectors and maps, and pieces of terms
//! that are too large, too deep or too often repeated to be written out where they occur.
//!
//! A term is a graph; text is a tree. Where the tree would be large, shared nodes become functions
//! of the variables in them, which the reader expands again.

use std::collections::BTreeMap;

use program::Program;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, Term, Terms};

/// Terms of at most this many nodes and this height are written as they are.
const LARGE: u64 = 2000;
const HIGH: u64 = 100;
/// Pieces of large terms: smaller ones are not worth a function even if shared, larger or higher
/// ones need one.
const SHARED: u64 = 20;
const PIECE: u64 = 1000;
const STEP: u64 = 60;

#[derive(Debug, Default)]
pub(super) struct Functions {
    builtins: BTreeMap<String, String>,
    /// The variables in each term that has a function.
    pieces: FxHashMap<Term, Vec<Term>>,
}

/// The size of a term's text.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    nodes: u64,
    height: u64,
}

impl Functions {
    pub fn new(program: &Program) -> Functions {
        let mut functions = Functions::default();
        functions.cut(&program.terms, &roots(program));
        functions
    }

    /// Declarations of all built-in functions used so far.
    pub fn declarations(&self) -> String {
        self.builtins.values().map(String::as_str).collect()
    }

    /// The name of a built-in function with these sorts.
    pub fn builtin(&mut self, operation: &str, parameters: &[&Sort], result: &Sort) -> String {
        let width = |sort: &Sort| match sort {
            Sort::BitVec(width) => format!(".{width}"),
            Sort::Float(format) => format!(".float{}", format.width()),
            _ => String::new(),
        };
        let word = operation.split(' ').next().unwrap_or(operation);
        let mut name = format!("{word}{}", parameters.first().map_or(String::new(), |s| width(s)));
        if operation.contains(' ') {
            name.push_str(&width(result));
        }
        if let Sort::Array(_) = result {
            // A name for each type of maps.
            let letters = super::type_of(result).replace('[', "#").replace(']', ".");
            name = format!("everywhere{letters}");
        }
        self.builtins.entry(name.clone()).or_insert_with(|| {
            let parameters: Vec<String> = parameters.iter().map(|s| super::type_of(s)).collect();
            let attribute = if word == "MapConst" { "builtin" } else { "bvbuiltin" };
            format!(
                "function {{:{attribute} \"{operation}\"}} {name}({}) returns ({});\n",
                parameters.join(", "),
                super::type_of(result)
            )
        });
        name
    }

    /// The variables in the term, if it has a function.
    pub fn piece(&self, term: Term) -> Option<&[Term]> {
        self.pieces.get(&term).map(Vec::as_slice)
    }

    /// The terms with functions, arguments before what is built from them.
    pub fn pieces(&self) -> Vec<Term> {
        let mut pieces: Vec<Term> = self.pieces.keys().copied().collect();
        pieces.sort_unstable();
        pieces
    }

    fn cut(&mut self, terms: &Terms, roots: &[Term]) {
        let mut extents = FxHashMap::default();
        for term in terms.reachable(roots) {
            let extent = extent(terms, term, &extents);
            extents.insert(term, extent);
        }
        let large = |root: &Term| {
            extents.get(root).is_some_and(|e: &Extent| e.nodes > LARGE || e.height > HIGH)
        };
        let large: Vec<Term> = roots.iter().copied().filter(large).collect();
        let nodes = terms.reachable(&large);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &argument in nodes.iter().flat_map(|&node| terms.args(node)) {
            *uses.entry(argument).or_default() += 1;
        }
        extents.clear();
        for node in nodes {
            let extent = extent(terms, node, &extents);
            let shared = uses.get(&node).is_some_and(|&uses| uses > 1) && extent.nodes > SHARED;
            let is_leaf = terms.args(node).is_empty();
            // A call lists all variables, so with many variables pieces have to be larger.
            let calls = terms.args(node).iter().filter_map(|argument| self.pieces.get(argument));
            let longest = calls.map(Vec::len).max().unwrap_or(0) as u64;
            let extent = if !is_leaf
                && (shared || extent.nodes > PIECE + 4 * longest || extent.height > STEP)
            {
                let variables = self.variables_of(terms, node);
                let call = Extent { nodes: 1 + variables.len() as u64, height: 1 };
                self.pieces.insert(node, variables);
                call
            } else {
                extent
            };
            extents.insert(node, extent);
        }
    }

    /// The variables in a term, found without entering pieces that have functions.
    fn variables_of(&self, terms: &Terms, root: Term) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut variables = Vec::new();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.pieces.get(&term) {
                Some(inside) => variables.extend_from_slice(inside),
                None if terms.is_var(term) => variables.push(term),
                None => stack.extend_from_slice(terms.args(term)),
            }
        }
        variables.sort_unstable();
        variables.dedup();
        variables
    }
}

/// The extent of a term, given those of its arguments.
fn extent(terms: &Terms, term: Term, of: &FxHashMap<Term, Extent>) -> Extent {
    let arguments = terms.args(term);
    // Sums and products of bit-vectors are nested calls.
    let levels = match (terms.op(term), terms.sort(term)) {
        (Op::Add | Op::Mul, Sort::BitVec(_)) => arguments.len() as u64,
        _ => 1,
    };
    let mut extent = Extent { nodes: 1, height: 0 };
    for argument in arguments {
        let below = of.get(argument).copied().unwrap_or_default();
        extent.nodes = extent.nodes.saturating_add(below.nodes);
        extent.height = extent.height.max(below.height);
    }
    Extent { height: extent.height + levels, ..extent }
}

/// All terms in the statements.
fn roots(program: &Program) -> Vec<Term> {
    let mut roots = Vec::new();
    for edge in &program.edges {
        roots.extend(edge.statement.operands());
    }
    roots.sort_unstable();
    roots.dedup();
    roots
}
