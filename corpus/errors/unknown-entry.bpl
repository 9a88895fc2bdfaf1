//@ --entry start
//@ exit 2
//@ says: there is no procedure `start` with a body
procedure main()
{
  assert false;
}
