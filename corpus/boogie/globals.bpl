var counter: int;

procedure tick()
  modifies counter;
{
  counter := counter + 2; //~ fault
  //~^ relevance: enforcing 2
}

procedure main()
  modifies counter;
{
  counter := 0; //~ relevance: enforcing -2
  call tick();
  call tick();
  assert counter == 2; //~ failure: assertion
}
