// Conversion rounds down.

procedure main()
{
  var exact: real;
  var rounded: int;

  exact := -0.5; //~ relevance: enforcing
  rounded := int(exact); //~ relevance: enforcing 0
  assert rounded == 0; //~ failure: assertion
}
