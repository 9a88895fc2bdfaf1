// Paper 3, section 2.1, first example: what is overwritten by any value has no influence.

procedure main()
{
  var apples, pears, plums: int;

  apples := 1;
  pears := 2;
  plums := 3;
  havoc plums; //~ relevance: admitting 11
  assert plums > 10; //~ failure: assertion
}
