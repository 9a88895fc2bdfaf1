type Colour;
const unique red, green, blue: Colour;

procedure main()
{
  var light: Colour;

  light := red;
  light := green; //~ relevance: enforcing
  assert light == red || light == blue; //~ failure: assertion
}
