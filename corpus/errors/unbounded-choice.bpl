//@ --unroll 3
//@ unknown
//@ says: --unroll
procedure main()
{
  var n: int;

  n := 0;
  while (*) {
    n := n + 1;
  }
  assert n >= 0;
}
