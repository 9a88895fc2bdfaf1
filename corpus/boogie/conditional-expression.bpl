procedure main()
{
  var night: bool;
  var lamps: int;

  night := true; //~ relevance: enforcing false
  lamps := if night then 0 else 3; //~ relevance: enforcing 1
  assert lamps > 0; //~ failure: assertion
}
