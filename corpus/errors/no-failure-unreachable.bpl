//@ no failure
//@ says: has no execution that violates a property
procedure main(n: int)
  requires n > 3;
{
  if (n < 3) {
    assert false;
  }
}
