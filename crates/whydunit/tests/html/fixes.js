  click("#suspects li[data-rank] .what .step");
  check("a suspect leads to its fix", one("#tab-fixes").getAttribute("aria-selected") === "true");
  const best = one("#fixes [data-fix='1']");
  check("a sentence", text("#fixes [data-fix='1'] .why").includes("this run does not fail"));
  check("code in it", one(".why code", best));
  check("what was tried", text("#fixes .hint").includes("tried"));
  const lines = kind => all(`.patchline.${kind}`, best).map(line => line.textContent);
  check("a line is taken out: " + lines("removed"), lines("removed").join() === "-    for (int i = 0; i <= 3; i++)\n");
  check("a line is put in: " + lines("added"), lines("added").join() === "+    for (int i = 0; i < 3; i++)\n");
  const colour = kind => getComputedStyle(one(`.patchline.${kind}`, best)).backgroundColor;
  check("they have colours", colour("added") !== colour("removed"));
  check("no markup", !one("#injected"));
  // A page without a user may copy nothing, so it is seen what would be copied.
  let copied = null;
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: text => { copied = text; return Promise.resolve(); } } });
  click("#fixes [data-fix='1'] .copy");
  check("copied: " + JSON.stringify(copied), copied === expected);
  // Without that, there is the older way.
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined });
  let older = null;
  document.execCommand = () => {
    const event = new ClipboardEvent("copy", { clipboardData: new DataTransfer(), cancelable: true });
    document.dispatchEvent(event);
    older = event.clipboardData.getData("text/plain");
    return event.defaultPrevented;
  };
  click("#fixes [data-fix='1'] .copy");
  check("copied in the older way: " + JSON.stringify(older), older === expected);
