// Guides visitors through a museum. The first one gets the map and the key.
//
// What is wrong: visitors are counted from 1, so nobody is the first one, who has number 0. The map and
// the key both start as missing, but neither is to blame: the other one would be missing still.
// Try: whydunit examples/counter.bpl

procedure main()
{
  var map, key, visitor: int;

  map := 0;
  key := 0;
  visitor := 1;
  while (visitor < 5) {
    if (visitor == 0) {
      map := 1;
      key := 1;
    }
    assert map > 0 && key > 0;
    visitor := visitor + 1;
  }
}
