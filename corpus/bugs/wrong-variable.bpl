// The area is computed from one side only.

procedure main(width: int, height: int)
{
  var area: int;

  assume width > 0 && height > width;
  area := width * width; //~ fault
  //~^ relevance: enforcing
  assert area >= height; //~ failure: assertion
}
