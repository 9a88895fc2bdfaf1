//! A Boogie program as a tree of its text, from which edits are made: see [`program::syntax`].
//!
//! What is claimed or assumed is there, but has no parts. Specifications, axioms, functions and declarations of variables
//! are not there at all: what is right is not edited, and there is nothing else in them.

mod names;

use program::syntax::{Class, Kind, Node, NodeId, Range, Role, Syntax, Type};

use crate::ast::{
    Ast, Block, Declaration, ExprId, ExprKind, Guard, Identifier, If, Span, Statement,
    StatementKind, Target, UnaryOperator,
};
use crate::check::{Checked, check};
use crate::parser::parse;
use crate::types::Type as Known;

/// Longer expressions are those of programs that were generated, and nobody edits them.
const MOST_OPERANDS: usize = 400;

/// The tree of a text. If it is no program, nothing of it can be read.
pub fn syntax(text: &str) -> Syntax {
    let mut tree = Tree::new(text);
    let root = tree.node(None, Kind::Other, Range::new(0, text.len()));
    let known = parse(text).ok().and_then(|ast| check(&ast).ok().map(|checked| (ast, checked)));
    let Some((ast, checked)) = known else {
        tree.syntax.nodes[root.index()].kind = Kind::Unreadable;
        return tree.syntax;
    };
    let mut walk = Walk { tree, ast: &ast, checked: &checked };
    walk.declare_globals();
    for declaration in &ast.declarations {
        walk.declaration(root, declaration);
    }
    walk.tree.syntax
}

struct Tree {
    syntax: Syntax,
}

impl Tree {
    fn new(text: &str) -> Tree {
        Tree { syntax: Syntax { text: text.to_owned(), ..Syntax::default() } }
    }

    fn node(&mut self, of: Option<(Role, NodeId)>, kind: Kind, range: Range) -> NodeId {
        let id = NodeId(self.syntax.nodes.len() as u32);
        let (children, operator, ty) = (Vec::new(), None, Type::UNKNOWN);
        let parent = of.map(|(_, parent)| parent);
        self.syntax.nodes.push(Node { kind, range, parent, children, operator, ty });
        if let Some((role, parent)) = of {
            self.syntax.nodes[parent.index()].children.push((role, id));
        }
        id
    }
}

struct Walk<'a> {
    tree: Tree,
    ast: &'a Ast,
    checked: &'a Checked,
}

fn range(span: Span) -> Range {
    Range { start: span.start, end: span.end }
}

impl Walk<'_> {
    fn declaration(&mut self, root: NodeId, declaration: &Declaration) {
        let (body, span) = match declaration {
            Declaration::Procedure(it) => (it.body.as_ref(), it.span),
            Declaration::Implementation(it) => (Some(&it.body), it.span),
            _ => return,
        };
        let Some(body) = body else { return };
        let of = Some((Role::Item, root));
        let function = self.tree.node(of, Kind::Function, range(span));
        self.declare_locals(declaration, body);
        let of = Some((Role::Body, function));
        let block = self.tree.node(of, Kind::Block, range(body.span));
        self.statements(block, &body.statements);
    }

    fn statements(&mut self, block: NodeId, statements: &[Statement]) {
        for statement in statements {
            self.statement((Role::Item, block), statement);
        }
    }

    fn block(&mut self, of: (Role, NodeId), block: &Block) {
        let id = self.tree.node(Some(of), Kind::Block, range(block.span));
        self.statements(id, &block.statements);
    }

    fn statement(&mut self, of: (Role, NodeId), statement: &Statement) {
        let own = range(statement.span);
        let mut plain = |kind| self.tree.node(Some(of), kind, own);
        match &statement.kind {
            StatementKind::Label(_) => drop(plain(Kind::Labelled)),
            // What the environment does is not for the program to say.
            StatementKind::Havoc(_) | StatementKind::Assume(_) | StatementKind::Assert(_) => {
                plain(Kind::Claim);
            }
            StatementKind::Goto(_) => drop(plain(Kind::Goto)),
            StatementKind::Return => drop(plain(Kind::Return)),
            StatementKind::Break(_) => drop(plain(Kind::Break)),
            StatementKind::Assign { targets, values } => {
                let id = plain(Kind::Evaluate);
                self.assignment(id, targets, values);
            }
            StatementKind::Call { procedure, arguments, .. } => {
                let id = plain(Kind::Evaluate);
                self.call(id, procedure, arguments);
            }
            StatementKind::If(statement) => self.branches(of, own, statement),
            StatementKind::While(statement) => {
                let id = plain(Kind::While);
                self.guard(id, statement.guard);
                self.block((Role::Body, id), &statement.body);
            }
        }
    }

    fn guard(&mut self, id: NodeId, guard: Guard) {
        if let Guard::Condition(condition) = guard {
            // The parentheses around the whole are those of the statement.
            let region = range(self.ast.expressions[condition].span);
            self.expression((Role::Condition, id), condition, region);
        }
    }

    /// Each `else if` is a statement in the branch before it.
    fn branches(&mut self, of: (Role, NodeId), own: Range, statement: &If) {
        let mut of = of;
        let mut start = own.start;
        for (number, arm) in statement.arms.iter().enumerate() {
            if let Some(before) = number.checked_sub(1).and_then(|it| statement.arms.get(it)) {
                start = self.keyword("if", before.body.span.end).unwrap_or(start);
            }
            let id = self.tree.node(Some(of), Kind::If, Range { start, end: own.end });
            self.guard(id, arm.guard);
            self.block((Role::Then, id), &arm.body);
            of = (Role::Else, id);
        }
        if let Some(otherwise) = &statement.otherwise {
            self.block(of, otherwise);
        }
    }

    /// Where a word is, after a place.
    fn keyword(&self, word: &str, after: u32) -> Option<u32> {
        let rest = self.tree.syntax.text.get(after as usize..)?;
        let found = rest.match_indices(word).map(|(at, _)| at);
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let mut whole = found.filter(|&at| {
            !rest[..at].ends_with(is_letter) && !rest[at + word.len()..].starts_with(is_letter)
        });
        Some(after + whole.next()? as u32)
    }

    fn assignment(&mut self, statement: NodeId, targets: &[Target], values: &[ExprId]) {
        let (Some(first), Some(last)) = (targets.first(), values.last()) else { return };
        let own = self.tree.syntax.range(statement);
        let whole = Range { start: first.span.start, end: self.around(*last, own.end - 1) };
        let id = self.tree.node(Some((Role::Operand, statement)), Kind::Assign, whole);
        let begins = targets.last().map_or(whole.start, |it| it.span.end);
        let operator = self.tree.syntax.text[begins as usize..].find(":=");
        let operator = operator.map(|at| begins + at as u32);
        let operator = operator.map(|start| Range { start, end: start + 2 });
        self.tree.syntax.nodes[id.index()].operator = operator;
        for target in targets {
            self.target((Role::Left, id), target);
        }
        let mut start = operator.map_or(begins, |it| it.end);
        for (number, value) in values.iter().enumerate() {
            let end = match values.get(number + 1) {
                Some(next) => self.ast.expressions[*next].span.start,
                None => whole.end,
            };
            self.expression((Role::Right, id), *value, Range { start, end });
            start = self.ast.expressions[*value].span.end;
        }
    }

    /// The end of an expression with the parentheses around it, which is not behind a place.
    fn around(&self, expression: ExprId, most: u32) -> u32 {
        let end = self.ast.expressions[expression].span.end;
        let rest = self.tree.syntax.text.get(end as usize..most as usize).unwrap_or("");
        end + rest.rfind(')').map_or(0, |at| at as u32 + 1)
    }

    fn target(&mut self, of: (Role, NodeId), target: &Target) {
        let Some((last, before)) = target.indices.split_last() else {
            self.name(of, &target.variable);
            return;
        };
        let id = self.tree.node(Some(of), Kind::Index, range(target.span));
        let end = match before.last().and_then(|indices| indices.last()) {
            Some(index) => self.bracket(self.ast.expressions[*index].span.end),
            None => target.variable.span.end,
        };
        let span = Span::new(target.span.start, end);
        let inner = Target { variable: target.variable.clone(), indices: before.to_vec(), span };
        self.target((Role::Base, id), &inner);
        self.list(id, Role::Index, last, end + 1, target.span.end.saturating_sub(1));
        let ty = self.element(id);
        self.tree.syntax.nodes[id.index()].ty = ty;
    }

    /// The end of the next closing bracket.
    fn bracket(&self, after: u32) -> u32 {
        let rest = &self.tree.syntax.text[after as usize..];
        after + rest.find(']').map_or(0, |at| at as u32 + 1)
    }

    /// The type of what is at an index of a map, if that is all.
    fn element(&mut self, index: NodeId) -> Type {
        let base = self.tree.syntax.child(index, Role::Base);
        let name = base.map_or(u32::MAX, |it| self.tree.syntax.node(it).ty.name);
        let written = self.tree.syntax.types.get(name as usize).cloned().unwrap_or_default();
        match written.split_once(']') {
            Some((_, "int")) => self.type_of(Known::Int),
            Some((_, "bool")) => self.type_of(Known::Bool),
            _ => Type::UNKNOWN,
        }
    }

    fn call(&mut self, statement: NodeId, procedure: &Identifier, arguments: &[ExprId]) {
        let own = self.tree.syntax.range(statement);
        let begins = self.tree.syntax.text[procedure.span.end as usize..].find('(');
        let begins = procedure.span.end + begins.map_or(0, |it| it as u32) + 1;
        let inside = self.tree.syntax.text.get(..own.end as usize);
        let end = inside.and_then(|it| it.rfind(')')).map_or(own.end, |it| it as u32);
        let whole = Range { start: procedure.span.start, end: end + 1 };
        let id = self.tree.node(Some((Role::Operand, statement)), Kind::Call, whole);
        self.tree.node(Some((Role::Base, id)), Kind::Name, range(procedure.span));
        self.list(id, Role::Argument, arguments, begins, end);
    }

    /// Expressions with commas between them.
    fn list(&mut self, of: NodeId, role: Role, all: &[ExprId], start: u32, end: u32) {
        let mut start = start;
        for (number, one) in all.iter().enumerate() {
            let next = all.get(number + 1).map(|next| self.ast.expressions[*next].span.start);
            self.expression((role, of), *one, Range { start, end: next.unwrap_or(end) });
            start = self.ast.expressions[*one].span.end;
        }
    }

    fn name(&mut self, of: (Role, NodeId), name: &Identifier) {
        let id = self.tree.node(Some(of), Kind::Name, range(name.span));
        if let Some(variable) = self.checked.variable_at(name.span) {
            let ty = self.type_of(self.checked.variable(variable).of_type);
            self.tree.syntax.nodes[id.index()].ty = ty;
        }
    }

    /// An expression with the parentheses around it, which are in this region.
    fn expression(&mut self, of: (Role, NodeId), id: ExprId, region: Range) {
        if self.ast.expressions.subtree(id).count() > MOST_OPERANDS {
            let of = Some(of);
            self.tree.node(of, Kind::Unreadable, range(self.ast.expressions[id].span));
            return;
        }
        let mut open = vec![(of, id, region)];
        while let Some((of, id, region)) = open.pop() {
            let of = self.parenthesised(of, id, region);
            let own = self.ast.expressions[id].clone();
            let (kind, operator) = kind_of(&own.kind);
            let node = self.tree.node(Some(of), kind, range(own.span));
            let ty = self.type_of(self.checked.type_of(id));
            let made = &mut self.tree.syntax.nodes[node.index()];
            (made.ty, made.operator) = (ty, operator.map(range));
            if let ExprKind::Apply { function, .. } = &own.kind {
                self.tree.node(Some((Role::Base, node)), Kind::Name, range(function.span));
            }
            let parts = self.parts(id);
            // What was found last is taken first, so that children are in the order of the text.
            let parts = parts.into_iter().rev();
            open.extend(parts.map(|(role, part, region)| ((role, node), part, region)));
        }
    }

    /// The parts of an expression, each with the region in which its parentheses are.
    fn parts(&self, id: ExprId) -> Vec<(Role, ExprId, Range)> {
        let own = &self.ast.expressions[id];
        let (start, end) = (own.span.start, own.span.end);
        let at = |id: ExprId| range(self.ast.expressions[id].span);
        // What is in brackets or between commas: from the end of the one before to the start of the next.
        let row = |all: &[ExprId], role: Role, begin: u32, finish: u32| {
            let mut begin = begin;
            let mut found = Vec::new();
            for (number, &one) in all.iter().enumerate() {
                let next = all.get(number + 1).map_or(finish, |next| at(*next).start);
                found.push((role, one, Range { start: begin, end: next }));
                begin = at(one).end;
            }
            found
        };
        match &own.kind {
            ExprKind::Unary { operator_span, operand, .. } => {
                vec![(Role::Operand, *operand, Range { start: operator_span.end, end })]
            }
            ExprKind::Binary { operator_span, left, right, .. } => vec![
                (Role::Left, *left, Range { start, end: operator_span.start }),
                (Role::Right, *right, Range { start: operator_span.end, end }),
            ],
            ExprKind::Conditional { condition, then, otherwise } => vec![
                (Role::Condition, *condition, Range { start: start + 2, end: at(*then).start }),
                (Role::Then, *then, Range { start: at(*condition).end, end: at(*otherwise).start }),
                (Role::Else, *otherwise, Range { start: at(*then).end, end }),
            ],
            ExprKind::Select { map, indices } => {
                let first = indices.first().map_or(end, |it| at(*it).start);
                let mut found = vec![(Role::Base, *map, Range { start, end: first })];
                found.extend(row(indices, Role::Index, at(*map).end, end - 1));
                found
            }
            ExprKind::Apply { function, arguments } => {
                row(arguments, Role::Argument, function.span.end + 1, end - 1)
            }
            ExprKind::Store { map, indices, value } => {
                let mut all = vec![*map];
                all.extend(indices);
                all.push(*value);
                row(&all, Role::Item, start, end - 1)
            }
            ExprKind::ToInt(operand) | ExprKind::ToReal(operand) | ExprKind::Old(operand) => {
                vec![(Role::Item, *operand, at(*operand))]
            }
            ExprKind::Extract { .. } | ExprKind::Coerce { .. } => Vec::new(),
            _ => Vec::new(),
        }
    }

    /// Nodes for the parentheses around an expression; what it is to the innermost of them.
    fn parenthesised(&mut self, of: (Role, NodeId), id: ExprId, region: Range) -> (Role, NodeId) {
        let own = self.ast.expressions[id].span;
        let ty = self.type_of(self.checked.type_of(id));
        let text = &self.tree.syntax.text;
        let before = text.get(region.start as usize..own.start as usize).unwrap_or("");
        let after = text.get(own.end as usize..region.end as usize).unwrap_or("");
        // Who writes comments between parentheses has none of them edited.
        let tail = before.rfind(|c: char| c != '(' && !c.is_whitespace()).map_or(0, |it| it + 1);
        let opens: Vec<u32> = before[tail..]
            .match_indices('(')
            .map(|(at, _)| region.start + (tail + at) as u32)
            .collect();
        let rest = after.find(|c: char| c != ')' && !c.is_whitespace()).unwrap_or(after.len());
        let closes: Vec<u32> =
            after[..rest].match_indices(')').map(|(at, _)| own.end + at as u32 + 1).collect();
        let count = opens.len().min(closes.len());
        let mut of = of;
        for number in 0..count {
            let start = opens[opens.len() - count + number];
            let end = closes[count - 1 - number];
            let node = self.tree.node(Some(of), Kind::Parenthesised, Range { start, end });
            self.tree.syntax.nodes[node.index()].ty = ty;
            of = (Role::Operand, node);
        }
        of
    }

    /// A type as edits see it: only numbers are numbers.
    fn type_of(&mut self, known: Known) -> Type {
        let written = self.checked.types.show(known);
        let name = self.tree.syntax.type_named(&written);
        let class = match known {
            Known::Int => Class::Integer,
            Known::Real => Class::Floating,
            _ => Class::Other,
        };
        Type { class, name, depth: 0, is_array: false }
    }
}

/// What an expression is, and where its operator is.
fn kind_of(kind: &ExprKind) -> (Kind, Option<Span>) {
    match kind {
        ExprKind::Int(_) => (Kind::Integer, None),
        ExprKind::Real(_) => (Kind::Floating, None),
        ExprKind::Name(_) | ExprKind::Bool(_) => (Kind::Name, None),
        ExprKind::Apply { .. } => (Kind::Call, None),
        ExprKind::Unary {
            operator: UnaryOperator::Not | UnaryOperator::Minus,
            operator_span,
            ..
        } => (Kind::Unary, Some(*operator_span)),
        ExprKind::Binary { operator_span, .. } => (Kind::Binary, Some(*operator_span)),
        ExprKind::Conditional { .. } => (Kind::Conditional, None),
        ExprKind::Select { .. } => (Kind::Index, None),
        _ => (Kind::Other, None),
    }
}

#[cfg(test)]
mod tests;
