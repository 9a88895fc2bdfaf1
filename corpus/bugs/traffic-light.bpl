// Yellow is followed by red and by green; the light forgets which.

type Light = int;
const unique red, yellow, green: Light;

procedure next(now: Light, before: Light) returns (later: Light)
{
  if (now == red) {
    later := yellow; //~ relevance: enforcing
  } else if (now == green) {
    later := yellow;
  } else if (before == red) {
    later := red; //~ fault
    //~^ relevance: enforcing
  } else {
    later := red;
  }
}

procedure main()
{
  var before, now, later: Light;

  before := green;
  now := red; //~ relevance: enforcing
  call later := next(now, before); //~ relevance: enforcing, enforcing
  before, now := now, later; //~ relevance: enforcing, enforcing
  call later := next(now, before); //~ relevance: enforcing, enforcing, enforcing
  assert later == green; //~ failure: assertion
}
