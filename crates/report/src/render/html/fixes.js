// Edits of the source that were run, each as a patch that can be copied.

function drawFixes(panel) {
  const found = diagnoses.repair;
  const solutions = found.solutions || [];
  panel.append(element("h2", {}, "Fixes"), element("p", { class: "hint" }, sentence(capitalised(found.says || "")),
    solutions.length ? " Each was compiled and run as it is here. That nothing fails with one does not say that it is right." : ""));
  for (const apart of found.apart || []) panel.append(element("p", { class: "apart" }, sentence(apart.says)));
  panel.append(element("ol", { class: "sets" }, solutions.map(drawFix)));
}

function drawFix(solution) {
  const first = (solution.edits || [])[0];
  return element("li", { class: "set", "data-fix": solution.rank },
    element("p", { class: "what" }, element("span", { class: "rank" }, String(solution.rank)), " ", first ? placeButton(first.location) : "",
      " ", copyButton(solution)),
    element("p", { class: "why" }, sentence(capitalised(solution.says || ""))),
    drawPatch(solution.patch || ""));
}

function copyButton(solution) {
  const button = element("button", { type: "button", class: "copy", "aria-label": `Copy the patch of fix ${solution.rank}` }, "Copy patch");
  button.addEventListener("click", () => copied(solution.patch).then(() => {
    button.textContent = "Copied";
    announce(`The patch of fix ${solution.rank} is copied; git apply takes it.`);
  }, () => {
    announce("The browser does not let this page copy; select the patch instead.");
    button.textContent = "Cannot copy";
  }));
  return button;
}

// The clipboard is not there for every page that comes from a file; the older way is.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {
    // What follows is tried instead.
  }
  let done = false;
  // A text field would change the ends of lines.
  document.addEventListener("copy", event => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    done = true;
  }, { once: true });
  if (!document.execCommand("copy") || !done) throw new Error("not allowed");
}

function drawPatch(patch) {
  const lines = patch.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  const kind = (line, at) => at < 2 ? "head" : { "+": "added", "-": "removed", "@": "head", "\\": "head" }[line[0]] || "";
  const shown = lines.map((line, at) => element("span", { class: `patchline ${kind(line, at)}` }, printable(line.replace(/\r$/, "")) + "\n"));
  return element("pre", { class: "patch", tabindex: 0, "aria-label": "Patch" }, shown);
}
