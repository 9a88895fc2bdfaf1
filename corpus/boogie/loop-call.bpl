procedure pay(account: int) returns (rest: int)
{
  rest := account - 7; //~ relevance: enforcing
}

procedure main()
{
  var money, months: int;

  money := 20; //~ relevance: enforcing
  months := 0; //~ relevance: enforcing
  while (months < 3) {
    call money := pay(money); //~ relevance: enforcing, enforcing
    months := months + 1; //~ relevance: enforcing
  }
  assert money >= 0; //~ failure: assertion
}
