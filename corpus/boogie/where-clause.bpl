procedure main()
{
  var month: int where 1 <= month && month <= 12;

  havoc month; //~ relevance: admitting
  assert month <= 11; //~ failure: assertion
}
