// A transfer books the amount twice from the sender.

var accounts: [int]int;

procedure withdraw(id: int, amount: int)
  modifies accounts;
{
  accounts[id] := accounts[id] - amount; //~ relevance: enforcing
}

procedure deposit(id: int, amount: int)
  modifies accounts;
{
  accounts[id] := accounts[id] + amount; //~ relevance: enforcing
}

procedure transfer(from: int, to: int, amount: int)
  modifies accounts;
{
  call withdraw(from, amount); //~ relevance: enforcing, enforcing
  call withdraw(from, amount); //~ fault
  //~^ relevance: enforcing, enforcing
  call deposit(to, amount); //~ relevance: enforcing 100
}

procedure main()
  modifies accounts;
{
  accounts[1] := 500; //~ relevance: enforcing
  accounts[2] := 100; //~ relevance: enforcing
  call transfer(1, 2, 50); //~ relevance: enforcing 0
  assert accounts[1] + accounts[2] == 600; //~ failure: assertion
}
