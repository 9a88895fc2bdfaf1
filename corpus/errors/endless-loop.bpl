//@ --max-steps 1000
//@ unknown
//@ says: is there an endless loop?
procedure main()
{
  var i: int;

  i := 0;
  while (i >= 0) {
    i := i + 1;
  }
  assert false;
}
