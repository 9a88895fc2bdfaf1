function rounds(): bv32 { 200bv32 }
function {:bvbuiltin "bvadd"} add(a: bv32, b: bv32): bv32;
function {:bvbuiltin "bvmul"} mul(a: bv32, b: bv32): bv32;
function {:bvbuiltin "bvslt"} less(a: bv32, b: bv32): bool;

// Sums that wrap around.
procedure main()
{
  var a, b, c, d, i: bv32;

  a := 1bv32; b := 2bv32; c := 3bv32; d := 4bv32;
  i := 0bv32;
  while (less(i, rounds()))
  {
    a := add(a, b);
    b := add(b, c);
    c := add(c, mul(d, 3bv32));
    d := add(d, i);
    i := add(i, 1bv32);
  }
  assert a == 0bv32;
}
