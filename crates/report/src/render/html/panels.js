// The tabs, and the panels that only show data.

const panels = {
  active: "suspects",
  tabs: [],

  start(holder) {
    const all = [
      ["suspects", "Suspects", true, null],
      ["fixes", "Fixes", diagnoses.repair, drawFixes],
      ["timeline", "Time line", timeline.count > 0, panel => timeline.start(panel)],
      ["causes", "Causes", diagnoses.cascade && diagnoses.cascade.tree, panel => causes.start(panel)],
      ["invariants", "Error invariants", diagnoses["error-invariants"], drawInvariants],
      ["changes", "Changes", diagnoses.changes, drawChanges],
      ["techniques", "Side by side", Object.keys(diagnoses).length > 0, drawTechniques],
    ].filter(([, , hasData]) => hasData);
    const list = element("div", { role: "tablist", "aria-label": "What is known" });
    holder.prepend(list);
    for (const [name, title, , draw] of all) {
      const panel = document.getElementById(name) || holder.appendChild(element("div", { id: name }));
      panel.classList.add("panel");
      for (const [key, value] of [["role", "tabpanel"], ["aria-labelledby", `tab-${name}`], ["tabindex", "0"]]) {
        panel.setAttribute(key, value);
      }
      const tab = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": name,
        onclick: () => this.open(name) }, title);
      list.append(tab);
      this.tabs.push({ name, tab, panel, draw });
    }
    list.addEventListener("keydown", event => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      const at = this.tabs.findIndex(({ name }) => name === this.active);
      const next = this.tabs[(at + by + this.tabs.length) % this.tabs.length];
      this.open(next.name);
      next.tab.focus();
    });
    this.open("suspects");
  },

  open(wanted) {
    if (!this.tabs.some(({ name }) => name === wanted)) return;
    const changed = wanted !== this.active;
    this.active = wanted;
    for (const entry of this.tabs) {
      const isOpen = entry.name === wanted;
      entry.tab.setAttribute("aria-selected", String(isOpen));
      entry.tab.tabIndex = isOpen ? 0 : -1;
      entry.panel.hidden = !isOpen;
      if (isOpen && entry.draw) {
        // A mistake in one panel does not break the others.
        try {
          entry.draw(entry.panel);
        } catch (problem) {
          entry.panel.append(element("p", { role: "alert" }, `This part cannot be shown: ${problem.message}`));
        }
        entry.draw = null;
      }
    }
    if (wanted === "timeline") timeline.shown();
    else if (changed && source.current) source.setCurrent(null);
  },
};

// The abstract error trace: formulas, and the statements between them.
function drawInvariants(panel) {
  const found = diagnoses["error-invariants"];
  panel.append(element("h2", {}, "Error invariants"));
  if (found.unknown || found.nothing_needed) {
    panel.append(element("p", {}, found.unknown ? `There are none: ${found.unknown}.`
      : capitalised(`they do not explain it: ${found.nothing_needed}`)));
    return;
  }
  panel.append(element("p", { class: "hint" }, "What must stay true for the failure to happen, and the statements that make it true. ",
    `${plural((found.kept || []).length, "step")} of ${found.statements} ${found.fewest ? "are needed; no fewer are enough" : "are needed"}. `,
    found.flow_sensitive ? "Why statements were reached is explained, too." : "Only the values are explained, not why statements were reached."));
  const list = element("ol", { class: "abstract" });
  const formula = invariant => {
    const parts = invariant.text.split(" && ");
    list.append(element("li", { class: "formula" },
      element("span", { class: "interval" }, invariant.from === invariant.to ? `step ${invariant.from}` : `steps ${invariant.from}–${invariant.to}`),
      parts.map((part, at) => [at ? element("span", { class: "and" }, " && ") : "", code(part)])));
  };
  const statement = kept => {
    const what = { frame: "was not executed otherwise, so it did not assign ", condition: "held", check: "was checked", outcome: "is remembered" }[kept.kind];
    const inside = (kept.inside || []).map(around => [" inside ", code(around.condition)]);
    list.append(element("li", { class: "kept" }, placeButton(kept.location), " ", sentenceOrCode(kept.statement), " ",
      kept.kind === "assignment" && kept.value ? element("span", { class: "effect" }, `→ ${kept.value}`) : "",
      what ? element("span", { class: "hint" }, what, kept.kind === "frame" ? kept.variables.map(name => [code(name), " "]) : "") : "",
      element("span", { class: "hint" }, inside.slice(0, 2)), " ", stepButton(kept.step)));
  };
  const invariants = found.invariants || [], kept = found.kept || [];
  // Of a long loop, the first and the last rounds.
  const most = 120, skipped = Math.max(0, kept.length - most);
  invariants.forEach((invariant, at) => {
    if (skipped && at > most / 2 && at <= most / 2 + skipped) {
      if (at === most / 2 + 1) list.append(element("li", { class: "hint" }, `… ${plural(skipped, "more statement")} …`));
      return;
    }
    formula(invariant);
    if (kept[at]) statement(kept[at]);
  });
  const failure = data.failure || {};
  list.append(element("li", { class: "kept failed" }, placeButton(failure.location), " ", sentence(failure.message)));
  panel.append(list);
}

function drawChanges(panel) {
  const found = diagnoses.changes, passes = found.length ? found[0].passes : 1;
  const runs = passes > 1 ? `these ${passes} failing runs pass` : "the failing run passes";
  panel.append(element("h2", {}, "Changes"));
  if (!found.length) {
    panel.append(element("p", { class: "hint" }, `No single value or decision was found with which ${runs}.`));
    return;
  }
  panel.append(element("p", { class: "hint" }, `Changed in a real run, ${runs}.`));
  const most = 100;
  panel.append(element("ol", { class: "sets" }, found.slice(0, most).map(change => element("li", { class: "set" },
    element("p", { class: "what" }, placeButton(change.location), " ", code(change.statement)),
    element("p", { class: "why" }, sentence(change.instead), change.executions > 1 ? ` (in ${change.executions} executions)` : "")))));
  if (found.length > most) panel.append(element("p", {}, `and ${found.length - most} more; --format json lists them all.`));
}

const COLUMNS = ["rank", "repair", "relevance", "cascade", "error-invariants", "changes", "slice", "spectrum"];

// What each technique says about each line.
function linesByTechnique() {
  const lines = new Map();
  const names = [];
  const add = (technique, at, text, weight) => {
    if (!at) return;
    if (!names.includes(technique)) names.push(technique);
    const key = `${at.file}:${at.line}`;
    if (!lines.has(key)) lines.set(key, { file: at.file, line: at.line, cells: new Map() });
    const cells = lines.get(key).cells;
    const known = cells.get(technique);
    if (!known || known.weight < weight) cells.set(technique, { text, weight });
  };
  for (const suspect of data.suspects || []) {
    add("rank", suspect.location, `${suspect.rank}`, 1 / suspect.rank);
    if (suspect.role) add("relevance", suspect.location, suspect.role, suspect.role === "enforcing" ? 2 : 1);
  }
  for (const suspect of data.suspects || []) {
    for (const name of (suspect.techniques || []).filter(name => !COLUMNS.includes(name))) add(name, suspect.location, "yes", 1);
  }
  for (const statement of (diagnoses.relevance || {}).statements || []) add("relevance", statement.location, "relevant", 0.5);
  const open = diagnoses.cascade && diagnoses.cascade.tree ? [diagnoses.cascade.tree, ...(diagnoses.cascade.deeper || [])] : [];
  for (let i = 0; i < open.length; i++) {
    const entry = open[i], weight = 1 / (entry.level + 1);
    add("cascade", entry.condition, `level ${entry.level}`, weight);
    for (const statement of entry.cause || []) add("cascade", statement, `level ${entry.level}`, weight);
    open.push(...(entry.children || []));
  }
  for (const kept of (diagnoses["error-invariants"] || {}).kept || []) add("error-invariants", kept.location, kept.kind, 1);
  for (const change of diagnoses.changes || []) add("changes", change.location, change.executions > 1 ? `${change.executions} times` : "once", 1 / change.executions);
  for (const solution of (diagnoses.repair || {}).solutions || []) {
    for (const edit of solution.edits || []) add("repair", edit.location, `fix ${solution.rank}`, 1 / solution.rank);
  }
  const slice = diagnoses.slice || {};
  for (const at of slice.relevant || []) add("slice", at, "omission", 1);
  for (const at of slice.dynamic || []) add("slice", at, "dynamic", 2);
  for (const statement of (diagnoses.spectrum || {}).statements || []) {
    const rank = ((statement.ranks || {}).ochiai || {}).best;
    add("spectrum", statement.location, `${rank === undefined ? "" : `${rank}. `}${Number(statement.ochiai).toFixed(2)}`, Number(statement.ochiai) || 0);
  }
  const order = name => (COLUMNS.indexOf(name) + 1) || COLUMNS.length + 1;
  return { names: names.sort((a, b) => order(a) - order(b)), lines: [...lines.values()] };
}

function drawTechniques(panel) {
  const { names, lines } = linesByTechnique();
  panel.append(element("h2", {}, "Techniques side by side"),
    element("p", { class: "hint" }, "What each technique says about each line. A click on a heading sorts by it; a click on a line shows it."));
  if (!lines.length) {
    panel.append(element("p", {}, "No technique names a line."));
    return;
  }
  const inSource = (a, b) => fileNumber(a.file) - fileNumber(b.file) || a.line - b.line;
  const votes = row => [...row.cells.keys()].filter(name => name !== "rank").length;
  const weight = (row, name) => name === "agree" ? votes(row) : (row.cells.get(name) || { weight: -1 }).weight;
  const body = element("tbody");
  const most = 500;
  const fill = by => {
    const rows = lines.slice().sort((a, b) => (by === "line" ? 0 : weight(b, by) - weight(a, by)) || inSource(a, b));
    body.replaceChildren(...rows.slice(0, most).map(row => {
      const text = files[fileNumber(row.file)] ? source.linesOf(fileNumber(row.file)).lines[row.line - 1] || "" : "";
      return element("tr", {}, element("th", { scope: "row" }, placeButton(row)), element("td", { class: "code" }, code(text.trim())),
        names.map(name => {
          const cell = row.cells.get(name);
          const strength = cell ? Math.min(1, 0.25 + 0.75 * Math.min(1, name === "relevance" || name === "slice" ? cell.weight / 2 : cell.weight)) : 0;
          return cell ? element("td", { class: "cell", style: `--heat:${strength.toFixed(3)}` }, cell.text)
            : element("td", { class: "cell none" }, element("span", { class: "hidden" }, "nothing"));
        }), element("td", { class: "amount" }, String(votes(row))));
    }));
  };
  const headings = [];
  const heading = (name, title) => {
    const cell = element("th", { scope: "col", "aria-sort": "none" });
    cell.append(element("button", { type: "button", onclick: () => {
      for (const other of headings) other.setAttribute("aria-sort", "none");
      cell.setAttribute("aria-sort", name === "line" ? "ascending" : "descending");
      fill(name);
    } }, title));
    headings.push(cell);
    return cell;
  };
  const table = element("table", { class: "techniques" }, element("caption", { class: "hidden" }, "Lines and techniques"),
    element("thead", {}, element("tr", {}, heading("line", "line"), element("th", { scope: "col", class: "code" }, "source"),
      names.map(name => heading(name, name)), heading("agree", "techniques"))), body);
  headings[0].setAttribute("aria-sort", "ascending");
  fill("line");
  panel.append(element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Table" }, table));
  if (lines.length > most) panel.append(element("p", {}, `${lines.length - most} more lines are not shown.`));
}
