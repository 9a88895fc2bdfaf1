// Paper 3, section 4.1.2: the example on which the first definition works.

procedure main()
{
  var apples, pears, plums: int;

  apples := 1;
  pears := 2;
  plums := 3; //~ relevance: enforcing 11
  assert plums > 10; //~ failure: assertion
}
