// Paper 5, figure 6: an assignment that should have been executed was not. The second condition asks for
// the wrong sign.

procedure main()
{
  var open, urgent, weight, cost: int;

  open, urgent, weight, cost := 2, 1, 1, 0; //~ relevance: enforcing, enforcing, enforcing 2
  if (open > 0) {
    if (urgent < 0) { //~ fault
      if (weight != 2) {
        weight := 2;
      }
    }
    cost := weight + 3; //~ relevance: enforcing 5
  }
  assert cost == 5; //~ failure: assertion
}
