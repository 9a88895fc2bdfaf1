//! Functions. Those with a body are expanded where they are applied: the body is lowered once, over
//! placeholders for the parameters, and an application substitutes them. Those without one are
//! maps that nobody changes.

use rustc_hash::FxHashMap;
use term::{Sort, Term};

use super::{Lowering, Scope};
use crate::ast::{ExprKind, Span};
use crate::check::{FunctionId, Meaning};
use crate::types::Type;

/// Functions that apply functions twice can denote terms of exponential size.
const MOST_TERMS: usize = 2_000_000;

#[derive(Debug, Default)]
pub(super) struct Functions {
    /// The placeholders and the body of those with one.
    definitions: Vec<Option<(Vec<Term>, Term)>>,
    /// The global variables of those without one, made when first applied.
    maps: FxHashMap<FunctionId, Term>,
    applications: FxHashMap<(FunctionId, Vec<Term>), Term>,
    /// How many terms applications have made.
    expanded: usize,
}

impl Functions {
    pub fn new(count: usize) -> Functions {
        Functions { definitions: vec![None; count], ..Functions::default() }
    }
}

impl Lowering<'_> {
    /// Lowers all bodies, callees first.
    pub(super) fn define_functions(&mut self) {
        for index in self.callees_first() {
            let function = &self.checked.functions[index];
            let Meaning::Defined { parameters, body } = &function.meaning else { continue };
            let mut placeholders = Vec::new();
            for &parameter in parameters {
                let declared = self.checked.variable(parameter);
                let sort = self.sort_at(declared.of_type, declared.name.span);
                // Functions share placeholders of the same name and sort, so that an application to
                // the caller's own parameters needs no substitution. No variable has such a name.
                let name = format!("({})", declared.name.name);
                let placeholder = self.builder.terms.var(&name, &sort);
                self.variables[parameter.index()] = Some(placeholder);
                placeholders.push(placeholder);
            }
            let body = self.expression(*body, &Scope::default());
            self.functions.definitions[index] = Some((placeholders, body));
        }
    }

    /// The functions with a body in an order in which each comes after those it applies.
    fn callees_first(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut begun = vec![false; self.checked.functions.len()];
        for root in 0..begun.len() {
            let mut stack = vec![(root, false)];
            while let Some((index, finished)) = stack.pop() {
                if finished {
                    order.push(index);
                } else if !std::mem::replace(&mut begun[index], true) {
                    stack.push((index, true));
                    stack.extend(self.callees(index).into_iter().map(|callee| (callee, false)));
                }
            }
        }
        order
    }

    fn callees(&self, index: usize) -> Vec<usize> {
        let Meaning::Defined { body, .. } = &self.checked.functions[index].meaning else {
            return Vec::new();
        };
        let expressions = &self.ast.expressions;
        let callee = |id| match &expressions[id].kind {
            ExprKind::Apply { function, .. } => self.checked.function_named(&function.name),
            _ => None,
        };
        expressions.subtree(*body).filter_map(callee).map(FunctionId::index).collect()
    }

    pub(super) fn apply_defined(
        &mut self,
        function: FunctionId,
        arguments: &[Term],
        span: Span,
    ) -> Term {
        let Some((placeholders, body)) = &self.functions.definitions[function.index()] else {
            self.problem.get_or_insert(crate::Error::internal("a function without a definition"));
            return self.builder.terms.bool(true);
        };
        let body = *body;
        if placeholders == arguments {
            return body;
        }
        let key = (function, arguments.to_vec());
        if let Some(&known) = self.functions.applications.get(&key) {
            return known;
        }
        if self.functions.expanded > MOST_TERMS {
            self.refuse(span, "the functions of this program expand to too large expressions");
            return body;
        }
        let of: FxHashMap<Term, Term> =
            placeholders.iter().copied().zip(arguments.iter().copied()).collect();
        let before = self.builder.terms.len();
        let applied = self.builder.terms.substitute(body, &mut |term| of.get(&term).copied());
        self.functions.expanded += self.builder.terms.len() - before;
        self.functions.applications.insert(key, applied);
        applied
    }

    /// The global variable that holds the function.
    pub(super) fn function_map(&mut self, id: FunctionId) -> Term {
        if let Some(&map) = self.functions.maps.get(&id) {
            return map;
        }
        let function = self.checked.function(id);
        let span = function.name.span;
        let mut sort = self.sort_at(function.result, span);
        for &parameter in function.parameters.iter().rev() {
            sort = Sort::array(self.sort_at(parameter, span), sort);
        }
        let map = self.builder.global(&function.name.name, &sort);
        self.functions.maps.insert(id, map);
        map
    }

    /// The map of this type that has the argument everywhere.
    pub(super) fn constant_map(&mut self, of_type: Type, arguments: &[Term], span: Span) -> Term {
        let mut sorts = Vec::new();
        let mut sort = self.sort_at(of_type, span);
        let Some(&element) = arguments.first() else { return self.builder.terms.bool(true) };
        while &sort != self.builder.terms.sort(element) {
            let Sort::Array(array) = &sort else { break };
            let inner = array.element.clone();
            sorts.push(std::mem::replace(&mut sort, inner));
        }
        let terms = &mut self.builder.terms;
        sorts.iter().rev().fold(element, |element, sort| terms.constant_array(sort, element))
    }
}
