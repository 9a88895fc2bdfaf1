// There is no assignment at all.

procedure main(n: int)
{
  assume n > 3;
  assert n < 3; //~ failure: assertion
}
