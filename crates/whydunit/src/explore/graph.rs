//! How the entries of a tree of causes hang together: who stands below whom, who is only referred to,
//! and who is left if some are benign.

use report::CauseTree;

/// The entries as a graph.
#[derive(Debug)]
pub struct Graph {
    /// By entry: those that influence it, in order, each once.
    below: Vec<Vec<usize>>,
    /// By entry: through which one it was reached first.
    parents: Vec<Option<usize>>,
}

/// A tree of some of the entries, in which each stands once.
#[derive(Debug, Default)]
pub struct Shape {
    pub roots: Vec<usize>,
    pub parents: Vec<Option<usize>>,
    /// By entry: those that stand below it.
    pub children: Vec<Vec<usize>>,
    /// By entry: those that influence it, but stand elsewhere.
    pub references: Vec<Vec<usize>>,
}

impl Graph {
    pub fn new(tree: &CauseTree) -> Graph {
        let count = tree.causes.len();
        let parents: Vec<Option<usize>> = (0..)
            .zip(&tree.causes)
            .map(|(entry, cause)| cause.parent.filter(|parent| *parent < entry))
            .collect();
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (entry, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                below[parent].push(entry);
            }
        }
        let mut last_seen = vec![usize::MAX; count];
        for (entry, cause) in tree.causes.iter().enumerate() {
            for child in &below[entry] {
                last_seen[*child] = entry;
            }
            for other in cause.influences.iter().map(|influence| influence.cause) {
                if other < count && last_seen[other] != entry {
                    last_seen[other] = entry;
                    below[entry].push(other);
                }
            }
        }
        Graph { below, parents }
    }

    /// Whether an entry is the cause of the failure itself.
    pub fn is_root(&self, entry: usize) -> bool {
        self.parents[entry].is_none()
    }

    fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.parents.len()).filter(|entry| self.is_root(*entry))
    }

    /// By entry: which other entries it influences besides the one above it.
    pub fn referrers(&self) -> Vec<Vec<usize>> {
        let mut referrers = vec![Vec::new(); self.below.len()];
        for (entry, below) in self.below.iter().enumerate() {
            for other in below.iter().filter(|other| self.parents[**other] != Some(entry)) {
                referrers[*other].push(entry);
            }
        }
        referrers
    }

    /// The benign entries, and those that lead to the failure only through them.
    pub fn pruned(&self, benign: &[bool]) -> Vec<bool> {
        let mut pruned = vec![true; self.below.len()];
        let mut work: Vec<usize> = self.roots().filter(|root| !benign[*root]).collect();
        while let Some(entry) = work.pop() {
            if std::mem::replace(&mut pruned[entry], false) {
                let below = self.below[entry].iter().copied();
                work.extend(below.filter(|other| pruned[*other] && !benign[*other]));
            }
        }
        pruned
    }

    /// The tree without the hidden entries. What stood below one of them and is not hidden moves to the
    /// first entry that refers to it.
    pub fn shape(&self, hidden: &[bool]) -> Shape {
        let count = self.below.len();
        let mut parents = vec![None; count];
        let mut is_placed = hidden.to_vec();
        let mut placed: Vec<usize> = Vec::new();
        let mut place = |entry: usize, parent: Option<usize>, placed: &mut Vec<usize>| {
            let mut work = vec![(entry, parent)];
            while let Some((entry, parent)) = work.pop() {
                if std::mem::replace(&mut is_placed[entry], true) {
                    continue;
                }
                parents[entry] = parent;
                placed.push(entry);
                let own =
                    self.below[entry].iter().filter(|other| self.parents[**other] == Some(entry));
                work.extend(own.map(|child| (*child, Some(entry))));
            }
        };
        for root in self.roots() {
            place(root, None, &mut placed);
        }
        let mut next = 0;
        while let Some(&entry) = placed.get(next) {
            for other in &self.below[entry] {
                place(*other, Some(entry), &mut placed);
            }
            next += 1;
        }
        placed.sort_unstable();
        let mut shape = Shape {
            roots: Vec::new(),
            children: vec![Vec::new(); count],
            references: vec![Vec::new(); count],
            parents,
        };
        for &entry in &placed {
            match shape.parents[entry] {
                Some(parent) => shape.children[parent].push(entry),
                None => shape.roots.push(entry),
            }
            let others = self.below[entry].iter().copied();
            shape.references[entry] = others
                .filter(|other| !hidden[*other] && shape.parents[*other] != Some(entry))
                .collect();
        }
        shape
    }
}
