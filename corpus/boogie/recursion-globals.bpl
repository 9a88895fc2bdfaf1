var g: int;

procedure grow()
  modifies g;
{
  g := g + 1; //~ relevance: enforcing
  if (g < 3) {
    call double();
  }
}

procedure double()
  modifies g;
{
  g := g * 2; //~ relevance: enforcing
  call grow();
}

procedure main()
  modifies g;
{
  g := 0; //~ relevance: enforcing
  call grow();
  assert g != 3; //~ failure: assertion
}
