function rounds(): bv32 { 200bv32 }
function {:bvbuiltin "bvadd"} add(a: bv32, b: bv32): bv32;
function {:bvbuiltin "bvmul"} mul(a: bv32, b: bv32): bv32;
function {:bvbuiltin "bvxor"} xor(a: bv32, b: bv32): bv32;
function {:bvbuiltin "bvult"} less(a: bv32, b: bv32): bool;

// Every bit of the result depends on every bit before.
procedure main()
{
  var h, x, i: bv32;

  h := 17bv32; x := 2bv32;
  i := 0bv32;
  while (less(i, rounds()))
  {
    x := add(mul(x, 1103515245bv32), 12345bv32);
    h := xor(mul(h, 16777619bv32), x);
    i := add(i, 1bv32);
  }
  assert h == 0bv32;
}
