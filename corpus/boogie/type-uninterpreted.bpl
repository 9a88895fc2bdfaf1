// Values of a type of which nothing is known can only be compared.

type Key;

procedure main(mine: Key, yours: Key)
{
  var chosen, spare: Key;

  spare := yours;
  chosen := mine; //~ relevance: enforcing
  assert chosen == yours; //~ failure: assertion
}
