#![allow(clippy::unwrap_used)]
use repair::generate::*;
use repair::kinds::Weights;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let most: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let tree = llvm::syntax::syntax(&text, &[]);
    let weights = Weights::default();
    let given = Given { syntax: &tree, file: 0, dialect: Dialect::C, weights: &weights, may_edit: &|_| true, is_executed: &|_| true };
    let edits: Vec<_> = generate(&given).into_iter().map(|(_, it)| it).collect();
    if std::env::args().nth(3).is_some() {
        for e in edits.iter().take(most) { println!("{} {} {:?}", e.kind.name(), e.weight, e.replacements.iter().map(|r| format!("{}: {} -> {}", text[..r.range.start as usize].lines().count(), &text[r.range.start as usize..r.range.end as usize], r.new)).collect::<Vec<_>>()); }
        return;
    }
    let numbers: Vec<usize> = (0..edits.len().min(most)).collect();
    let schema = repair::schema::schema(&tree, Dialect::C, &edits, &numbers, &[]);
    println!("{}", schema.text);
}
