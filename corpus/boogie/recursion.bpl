// All activations of a procedure share its statements.

procedure sum_to(n: int) returns (s: int)
{
  if (n <= 0) {
    s := 1; //~ fault
    //~^ relevance: enforcing 0
  } else {
    call s := sum_to(n - 1); //~ relevance: enforcing, enforcing
    s := s + n; //~ relevance: enforcing
  }
}

procedure main()
{
  var total: int;

  call total := sum_to(3); //~ relevance: enforcing, enforcing 6
  assert total == 6; //~ failure: assertion
}
