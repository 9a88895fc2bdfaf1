// A loop made of labels.

procedure main()
{
  var i, steps: int;

  i := 4; //~ relevance: enforcing //~ corrections: alone
  steps := 0; //~ relevance: enforcing //~ corrections: alone
Head:
  goto Body, Exit;
Body:
  assume i > 0; //~ corrections: alone
  i := i - 2; //~ relevance: enforcing //~ corrections: alone
  steps := steps + 1; //~ relevance: enforcing //~ corrections: alone
  goto Head;
Exit:
  assume i <= 0;
  assert steps == 4; //~ failure: assertion
}
