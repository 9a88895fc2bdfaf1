// The body of a procedure stands apart from its declaration, with other names.

procedure larger(a: int, b: int) returns (m: int);
  ensures m >= a && m >= b; //~ failure: postcondition

implementation larger(p: int, q: int) returns (big: int)
{
  big := p; //~ fault
  //~^ relevance: enforcing 7
}

procedure main()
{
  var r: int;

  call r := larger(3, 7); //~ relevance: enforcing 7, enforcing
}
