// Removing the front does not move it on.

var items: [int]int;
var front, back: int;

procedure enqueue(item: int)
  modifies items, back;
{
  items[back] := item; //~ relevance: enforcing
  back := back + 1; //~ relevance: enforcing
}

procedure dequeue() returns (item: int)
  modifies front;
{
  assert front < back;
  item := items[front]; //~ relevance: enforcing 6
  front := front + 0; //~ fault
  //~^ relevance: enforcing 1
}

procedure main()
  modifies items, front, back;
{
  var first, second: int;

  front := 0; //~ relevance: enforcing
  back := 0; //~ relevance: enforcing
  call enqueue(5); //~ relevance: enforcing
  call enqueue(6);
  call first := dequeue(); //~ relevance: enforcing
  assert first == 5;
  call second := dequeue(); //~ relevance: enforcing 6
  assert second == 6; //~ failure: assertion
}
