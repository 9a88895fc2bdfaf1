//! The types of Boogie after resolution: synonyms are gone, and equal types are
//! equal values.
//!
//! Map types are kept once each in a table and referred to by number. Synonyms
//! can double a type in each line (`type B = [A]A; type C = [B]B; …`), so a tree
//! would grow exponentially with the text.

use std::collections::HashMap;

/// The widest bit-vector supported.
pub const MAX_WIDTH: u32 = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    Int,
    Real,
    /// The number of bits, from 1 to [`MAX_WIDTH`].
    BitVector(u32),
    Map(MapId),
    /// A type declared without a meaning.
    Named(NamedId),
}

/// Names a map type of [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapId(u32);

/// Names a declared type of [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedId(u32);

impl NamedId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MapType {
    /// At least one.
    pub arguments: Vec<Type>,
    pub result: Type,
}

/// All map types and declared types of a program.
#[derive(Clone, Debug, Default)]
pub struct Types {
    maps: Vec<MapType>,
    ids: HashMap<MapType, MapId>,
    names: Vec<String>,
}

impl Types {
    pub fn map(&self, id: MapId) -> &MapType {
        &self.maps[id.0 as usize]
    }

    pub fn name(&self, id: NamedId) -> &str {
        &self.names[id.index()]
    }

    pub(crate) fn declare(&mut self, name: &str) -> Type {
        self.names.push(name.to_owned());
        Type::Named(NamedId(self.names.len() as u32 - 1))
    }

    pub(crate) fn intern(&mut self, map: MapType) -> Type {
        let maps = &mut self.maps;
        let id = *self.ids.entry(map).or_insert_with_key(|map| {
            maps.push(map.clone());
            MapId(maps.len() as u32 - 1)
        });
        Type::Map(id)
    }

    /// The type as Boogie writes it, cut off if it is long.
    pub fn show(&self, t: Type) -> String {
        let mut text = String::new();
        self.write(t, 0, &mut text);
        text
    }

    /// A phrase for error messages: "int", "a map from int to bool".
    pub fn describe(&self, t: Type) -> String {
        match t {
            Type::Map(id) => {
                let map = self.map(id);
                let arguments: Vec<_> = map.arguments.iter().map(|&t| self.show(t)).collect();
                format!("a map from {} to {}", arguments.join(", "), self.show(map.result))
            }
            _ => self.show(t),
        }
    }

    fn write(&self, t: Type, depth: u32, text: &mut String) {
        match t {
            Type::Bool => text.push_str("bool"),
            Type::Int => text.push_str("int"),
            Type::Real => text.push_str("real"),
            Type::BitVector(width) => text.push_str(&format!("bv{width}")),
            Type::Named(id) => text.push_str(self.name(id)),
            Type::Map(_) if depth > 10 || text.len() > 80 => text.push('…'),
            Type::Map(id) => {
                let map = self.map(id);
                for (i, &argument) in map.arguments.iter().enumerate() {
                    text.push_str(if i == 0 { "[" } else { ", " });
                    self.write(argument, depth + 1, text);
                }
                text.push(']');
                self.write(map.result, depth + 1, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_maps_are_one() {
        let mut types = Types::default();
        let map = MapType { arguments: vec![Type::Int, Type::BitVector(8)], result: Type::Bool };
        let one = types.intern(map.clone());
        assert_eq!(types.intern(map), one);
        assert_eq!(types.show(one), "[int, bv8]bool");
        assert_eq!(types.describe(one), "a map from int, bv8 to bool");
    }

    #[test]
    fn a_type_of_exponential_size_is_shown_in_part() {
        let mut types = Types::default();
        let mut t = types.declare("T");
        for _ in 0..1000 {
            t = types.intern(MapType { arguments: vec![t], result: t });
        }
        assert!(types.show(t).len() < 300);
    }
}
