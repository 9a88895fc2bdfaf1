//@ --unroll 5
//@ unknown
//@ says: Loops were unrolled 5 times; --unroll 25 searches deeper.
// The failure is deeper than we look.

procedure main(rounds: int)
{
  var i: int;

  i := 0;
  while (i < rounds) {
    i := i + 1;
  }
  assert i < 8;
}
