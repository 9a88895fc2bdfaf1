  open("techniques");
  check("a spectrum", all(".techniques thead th").some(head => head.textContent === "spectrum"));
  open("timeline");
  check("steps", all(".moment").length > 3);
