  open("timeline");
  check("an input", one(".moment.input") && one(".moment.held"));
  press("End");
  press("ArrowLeft");
  check("values", all(".values button.value").length === 2);
  check("why", text(".details").includes("Because"));
  open("causes");
  check("a tree", one("[role=treeitem]"));
