// Paper 3, section 3.2: the balance decides whether the account is closed.

procedure main(deposit: int)
{
  var open, balance: int;

  open := 1;
  balance := deposit - 42; //~ relevance: enforcing 0
  if (balance < 0) {
    open := 0; //~ relevance: enforcing
  }
  assert open != 0; //~ failure: assertion
}
