function clamp(x: int, low: int, high: int): int
{
  if x < low then low else if x > high then high else x
}

procedure main(x: int)
{
  var y: int;

  y := clamp(x, 0, 100); //~ fault
  //~^ relevance: enforcing
  assert 0 <= y && y <= 10; //~ failure: assertion
}
