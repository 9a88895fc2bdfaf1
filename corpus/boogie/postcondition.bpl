// The argument of the entry procedure is an input: nobody assigns it.

procedure main(a: int) returns (r: int)
  requires a > 0;
  ensures r > a; //~ failure: postcondition
{
  r := a; //~ relevance: enforcing
}
