// Paper 5, figure 6: an assignment that should have been executed was not. The second condition asks for
// the wrong sign.

procedure main()
{
  var open, urgent, weight, cost: int;

  open, urgent, weight, cost := 2, 1, 1, 0; //~ relevance: enforcing, enforcing, enforcing 2 //~ cascade: 0
  if (open > 0) { //~ critical: 1
    if (urgent < 0) { //~ fault //~ critical: 1
      if (weight != 2) {
        weight := 2;
      }
    }
    cost := weight + 3; //~ relevance: enforcing 5 //~ cascade: 0
  }
  assert cost == 5; //~ failure: assertion
}
