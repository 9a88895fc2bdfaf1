// For any balance before, adding instead of taking is wrong, unless the amount is zero.

var balance: int;

procedure withdraw(amount: int)
  modifies balance;
  ensures balance == old(balance) - amount; //~ failure: postcondition
{
  balance := balance + amount; //~ fault
  //~^ relevance: enforcing 70
}

procedure main()
  modifies balance;
{
  balance := 100;
  call withdraw(30); //~ relevance: enforcing 0
}
