// A connection that was refused is treated as open.

const unique idle, waiting, open, closed: int;

procedure main(accepted: bool)
{
  var state, sent: int;

  state := idle; //~ relevance: enforcing
  sent := 0; //~ relevance: enforcing
  if (state == idle) {
    state := waiting; //~ relevance: enforcing
  }
  if (state == waiting) {
    if (accepted) {
      state := open;
    } else {
      state := closed; //~ relevance: enforcing
    }
  }
  if (state != idle) { //~ fault
    sent := sent + 1; //~ relevance: enforcing
  }
  assert state == closed ==> sent == 0; //~ failure: assertion
}
