// A loop made of labels.

procedure main()
{
  var i, steps: int;

  i := 4; //~ relevance: enforcing
  steps := 0; //~ relevance: enforcing //~ changes
Head:
  goto Body, Exit;
Body:
  assume i > 0;
  i := i - 2; //~ relevance: enforcing //~ changes
  steps := steps + 1; //~ relevance: enforcing //~ changes
  goto Head;
Exit:
  assume i <= 0;
  assert steps == 4; //~ failure: assertion
}
