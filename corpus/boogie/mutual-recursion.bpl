procedure is_even(n: int) returns (answer: bool)
{
  if (n == 0) {
    answer := true;
    return;
  }
  call answer := is_odd(n - 1); //~ relevance: enforcing, enforcing true
}

procedure is_odd(n: int) returns (answer: bool)
{
  if (n == 0) {
    answer := false; //~ relevance: enforcing true
    return;
  }
  call answer := is_even(n - 1); //~ relevance: enforcing, enforcing true
}

procedure main()
{
  var even: bool;

  call even := is_even(3); //~ relevance: enforcing, enforcing true
  assert even; //~ failure: assertion
}
