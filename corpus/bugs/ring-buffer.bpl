// The write position wraps one place too late, so the fourth item is lost outside the buffer.

var buffer: [int]int;
var write, read, count: int;

procedure put(item: int)
  modifies buffer, write, count;
{
  buffer[write] := item; //~ relevance: enforcing 40
  write := write + 1; //~ relevance: enforcing
  if (write > 3) { //~ fault
    write := 0;
  }
  count := count + 1;
}

procedure get() returns (item: int)
  modifies read, count;
{
  item := buffer[read]; //~ relevance: enforcing 40
  read := read + 1; //~ relevance: enforcing
  if (read >= 3) {
    read := 0; //~ relevance: enforcing
  }
  count := count - 1;
}

procedure main()
  modifies buffer, write, read, count;
{
  var x: int;

  write, read, count := 0, 0, 0; //~ relevance: enforcing, enforcing
  call put(10); //~ relevance: enforcing
  call put(20);
  call put(30);
  call x := get();
  call x := get();
  call x := get();
  call put(40);
  call x := get(); //~ relevance: enforcing 40
  assert x == 40; //~ failure: assertion
}
