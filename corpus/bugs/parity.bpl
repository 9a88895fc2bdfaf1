// The parity of three bits, with one of them taken twice.

function {:bvbuiltin "bvxor"} xor(a: bv1, b: bv1) returns (bv1);

procedure parity(word: bv3) returns (p: bv1)
{
  p := 0bv1; //~ relevance: enforcing 1bv1
  p := xor(p, word[1:0]); //~ relevance: enforcing
  p := xor(p, word[2:1]); //~ relevance: enforcing
  p := xor(p, word[2:1]); //~ fault
  //~^ relevance: enforcing 1bv1
}

procedure main()
{
  var p: bv1;

  call p := parity(4bv3); //~ relevance: enforcing, enforcing 1bv1
  assert p == 1bv1; //~ failure: assertion
}
