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
    let t = std::time::Instant::now();
    let edits: Vec<_> = generate(&given).into_iter().map(|(_, it)| it).collect();
    let g = t.elapsed();
    let numbers: Vec<usize> = (0..edits.len().min(most)).collect();
    let schema = repair::schema::schema(&tree, Dialect::C, &edits, &numbers, &[]);
    let apart = numbers.iter().filter(|i| schema.choices[**i].is_empty()).count();
    eprintln!("{} edits, {} apart, {} chunks, {} bytes; {:?} {:?}", edits.len(), apart, schema.chunks, schema.text.len(), g, t.elapsed());
    println!("{}", schema.text);
}
