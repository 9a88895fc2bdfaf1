  const clean = () => !one("#injected, img, b, i");
  check("clean", clean());
  for (const tab of all("[role=tab]")) {
    tab.click();
    check("clean after " + tab.textContent, clean());
  }
  check("the text is shown", one("#source").textContent.includes("<" + "/script><b id=\"injected\">"));
  open("timeline");
  for (let i = 0; i < 40; i++) press("ArrowLeft");
  check("clean after stepping", clean());
