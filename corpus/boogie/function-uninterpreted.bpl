// Two keys may have the same hash.

function hash(key: int): int;

procedure main(a: int, b: int)
{
  var slot: int;

  assume a != b;
  slot := hash(a); //~ relevance: enforcing
  assert slot != hash(b); //~ failure: assertion
}
