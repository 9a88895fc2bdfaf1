// Paper 5, figure 3: a count that should stay 0 is raised, because its guard holds.

procedure main()
{
  var count, enabled: int;

  count := 0; //~ relevance: enforcing -1 //~ cascade: 0
  enabled := 1; //~ fault //~ cascade: 1 //~ relevance: enforcing
  if (enabled == 1) { //~ critical: 1
    count := count + 1; //~ relevance: enforcing 0 //~ cascade: 0
  }
  assert count == 0; //~ failure: assertion
}
