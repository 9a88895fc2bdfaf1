//@ --max-steps 1000
//@ unknown
//@ says: --max-steps
procedure down(n: int)
{
  call down(n - 1);
}

procedure main()
{
  call down(3);
  assert false;
}
