// An error path leaves the lock taken.

var locked: bool;

procedure acquire()
  requires !locked;
  modifies locked;
{
  locked := true; //~ relevance: enforcing false
}

procedure release()
  requires locked;
  modifies locked;
{
  locked := false;
}

procedure work(input: int) returns (ok: bool)
  modifies locked;
{
  call acquire(); //~ failure: precondition
  if (input < 0) {
    ok := false;
    return; //~ fault
  }
  ok := true;
  call release();
}

procedure main(a: int, b: int)
  modifies locked;
{
  var ok: bool;

  locked := false; //~ relevance: enforcing true
  call ok := work(a); //~ relevance: enforcing
  call ok := work(b);
  assert !locked;
}
