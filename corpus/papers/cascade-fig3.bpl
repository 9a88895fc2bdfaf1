// Paper 5, figure 3: a count that should stay 0 is raised, because its guard holds.

procedure main()
{
  var count, enabled: int;

  count := 0; //~ relevance: enforcing -1
  enabled := 1; //~ fault //~ relevance: enforcing
  if (enabled == 1) {
    count := count + 1; //~ relevance: enforcing 0
  }
  assert count == 0; //~ failure: assertion
}
