// The tree of causes: expand, mark as benign, prune, and back; with the mouse and with the keyboard.

const causes = {
  entries: new Map(),

  start(holder) {
    const found = diagnoses.cascade;
    this.read(found);
    this.tree = element("ul", { role: "tree", "aria-label": "Causes", class: "tree" });
    this.summary = element("p", { class: "hint", role: "status" });
    this.repeat = element("p", { class: "hint" });
    const button = (text, action) => element("button", { type: "button", onclick: action }, text);
    holder.append(
      element("h2", {}, "How it came about"),
      element("p", { class: "hint" }, "Each entry is a condition that led to the failure, with what made it so. ",
        "Arrow keys move and expand, ", element("kbd", {}, "b"), " marks as benign, ", element("kbd", {}, "x"), " prunes, ",
        element("kbd", {}, "r"), " restores, ", element("kbd", {}, "Enter"), " shows the line."),
      element("div", { class: "controls" }, button("Expand all", () => this.expandAll(true)),
        button("Collapse all", () => this.expandAll(false)), button("Restore all", () => this.restoreAll())),
      this.tree, this.summary, this.repeat,
      found.complete ? "" : element("p", {}, `The tree is not complete: ${found.incomplete_because || "unknown"}.`));
    this.tree.addEventListener("keydown", event => this.key(event));
    if (this.root) {
      this.tree.append(this.item(this.root));
      this.focus(this.root, "quietly");
    }
    this.count();
  },

  // Entries that are very deep are in a list of their own.
  read(found) {
    const open = found.tree ? [[found.tree, null]] : [];
    for (const entry of found.deeper || []) open.push([entry, entry.parent]);
    for (let at = 0; at < open.length; at++) {
      const [raw, parent] = open[at];
      const entry = { raw, parent, children: [], state: "open", expanded: raw.level < 2 };
      this.entries.set(raw.id, entry);
      for (const child of raw.children || []) open.push([child, raw.id]);
    }
    for (const id of [...this.entries.keys()].sort((a, b) => a - b)) {
      const entry = this.entries.get(id);
      const parent = this.entries.get(entry.parent);
      entry.parent = parent || null;
      entry.depth = parent ? parent.depth + 1 : 1;
      if (parent) parent.children.push(entry);
      else this.root = this.root || entry;
    }
  },

  item(entry) {
    const { raw } = entry;
    const times = raw.executions > 1 ? element("span", { class: "times" }, `${raw.executions} times`) : "";
    const toggle = entry.children.length ? element("span", { class: "toggle", "aria-hidden": "true" }) : element("span", { class: "toggle none" });
    const act = (label, title, action) => {
      const button = element("button", { type: "button", tabindex: -1, title }, label);
      button.addEventListener("click", event => {
        event.stopPropagation();
        action();
      });
      return button;
    };
    entry.benignButton = act("benign", "This is as it should be (b)", () => this.toggleState(entry, "benign"));
    entry.pruneButton = act("prune", "Hide it and what is below (x)", () => this.toggleState(entry, "pruned"));
    const head = element("div", { class: "head" }, toggle, placeButton(raw.condition), " ",
      element("span", { class: "held" }, sentence(raw.held || raw.text)), times,
      element("span", { class: "acts" }, entry.benignButton, entry.pruneButton));
    entry.body = element("div", { class: "body" });
    entry.group = element("ul", { role: "group" });
    entry.element = element("li", { role: "treeitem", tabindex: -1, "aria-level": entry.depth, "data-id": raw.id,
      "aria-label": `${placeText(raw.condition)} ${raw.held || raw.text}` }, head, entry.body, entry.group);
    head.addEventListener("click", () => {
      this.focus(entry);
      this.expand(entry, !entry.expanded);
    });
    this.expand(entry, entry.expanded);
    this.drawState(entry);
    return entry.element;
  },

  expand(entry, wanted) {
    entry.expanded = wanted;
    entry.element.setAttribute("aria-expanded", String(wanted));
    if (wanted && !entry.body.hasChildNodes()) this.fill(entry);
    if (wanted && !entry.group.hasChildNodes()) entry.group.append(...entry.children.map(child => this.item(child)));
    entry.body.hidden = entry.group.hidden = !wanted;
  },

  // What made the condition true.
  fill(entry) {
    const { raw } = entry;
    const above = entry.parent ? (entry.parent.raw.influenced_by || []).find(influence => influence.id === raw.id) : null;
    // Some influences only say what is clear from the entry.
    if (above && !/decides by itself|computed where it/.test(above.sentence)) {
      entry.body.append(element("p", { class: "influence" }, sentence(capitalised(above.sentence)),
        element("span", { class: "tag" }, above.confirmed ? `${above.kind}, seen in another run` : `${above.kind}, possible`)));
    }
    const statements = raw.cause || [];
    if (statements.length) {
      entry.body.append(element("ul", { class: "statements", "aria-label": "Statements of the cause" },
        statements.slice(0, 30).map(statement => element("li", {}, placeButton(statement), " ", sentenceOrCode(statement.statement),
          statement.value ? element("span", { class: "effect" }, statement.value) : "",
          statement.executions > 1 ? element("span", { class: "times" }, `${statement.executions} times`) : "")),
        statements.length > 30 ? element("li", {}, `and ${statements.length - 30} more`) : ""));
    } else if (raw.why) {
      entry.body.append(element("p", {}, sentence(raw.why)));
    }
  },

  // "benign" strikes an entry and what is below it, "pruned" hides what is below it.
  toggleState(entry, state) {
    entry.state = entry.state === state ? "open" : state;
    this.drawState(entry);
    this.count();
    announce(`${placeText(entry.raw.condition)}: ${entry.state === "open" ? "restored" : entry.state}`);
  },

  drawState(entry) {
    entry.element.classList.toggle("benign", entry.state === "benign");
    entry.element.classList.toggle("pruned", entry.state === "pruned");
    entry.benignButton.textContent = entry.state === "benign" ? "restore" : "benign";
    entry.pruneButton.textContent = entry.state === "pruned" ? "restore" : "prune";
  },

  expandAll(wanted) {
    for (const entry of this.entries.values()) {
      if (entry.element) this.expand(entry, wanted);
      else entry.expanded = wanted;
    }
  },

  restoreAll() {
    for (const entry of this.entries.values()) {
      entry.state = "open";
      if (entry.element) this.drawState(entry);
    }
    this.count();
  },

  isOut(entry) {
    for (let at = entry; at; at = at.parent) if (at.state !== "open") return true;
    return false;
  },

  count() {
    const all = [...this.entries.values()];
    const left = all.filter(entry => !this.isOut(entry)).length;
    const marked = all.filter(entry => entry.state === "benign" && entry.raw.condition);
    this.summary.textContent = left === all.length ? `${plural(all.length, "entry", "entries")}.`
      : `${left} of ${plural(all.length, "entry", "entries")} left.`;
    this.repeat.replaceChildren(...(marked.length ? ["To leave them out of the analysis, add: ",
      code(marked.map(entry => `--benign ${entry.raw.condition.file}:${entry.raw.condition.line}`).join(" "))] : []));
  },

  focus(entry, how) {
    if (this.focused && this.focused.element) {
      this.focused.element.tabIndex = -1;
      this.focused.element.setAttribute("aria-selected", "false");
    }
    this.focused = entry;
    entry.element.tabIndex = 0;
    entry.element.setAttribute("aria-selected", "true");
    if (how === "quietly") return;
    entry.element.focus({ preventScroll: true });
    entry.element.firstChild.scrollIntoView({ block: "nearest" });
    if (entry.raw.condition) source.show(entry.raw.condition);
  },

  // The entries that are visible, from top to bottom.
  visible() {
    const found = [];
    const open = this.root ? [this.root] : [];
    while (open.length) {
      const entry = open.pop();
      found.push(entry);
      if (entry.expanded && entry.state !== "pruned") open.push(...entry.children.slice().reverse());
    }
    return found;
  },

  key(event) {
    const entry = this.focused;
    if (!entry || event.ctrlKey || event.metaKey || event.altKey) return;
    const visible = this.visible();
    const at = visible.indexOf(entry);
    const go = other => { if (other) this.focus(other); };
    const action = {
      ArrowDown: () => go(visible[at + 1]),
      ArrowUp: () => go(visible[at - 1]),
      ArrowRight: () => entry.expanded ? go(entry.state === "pruned" ? null : entry.children[0]) : this.expand(entry, true),
      ArrowLeft: () => entry.expanded ? this.expand(entry, false) : go(entry.parent),
      Home: () => go(visible[0]),
      End: () => go(visible[visible.length - 1]),
      Enter: () => entry.raw.condition && source.show(entry.raw.condition),
      " ": () => this.expand(entry, !entry.expanded),
      b: () => this.toggleState(entry, "benign"),
      x: () => this.toggleState(entry, "pruned"),
      Delete: () => this.toggleState(entry, "pruned"),
      r: () => { if (entry.state !== "open") this.toggleState(entry, entry.state); },
    }[event.key];
    if (!action || event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  },
};
