//@ no failure
//@ says: has no execution that violates a property
procedure main(n: int)
{
  var double: int;

  double := n + n;
  assert double mod 2 == 0;
}
