// The failing run, step by step: what each step did, the values at that time, and where they came from.

const KINDS = ["assigned", "passed", "returned", "got", "input", "decided", "held", "not-held", "checked", "failed"];
const GLOBAL = -1, MEMORY = -2;
const MOST_VALUES = 200;

const timeline = {
  count: data.listed || 0,
  at: 0,
  // The steps that are listed; null if all are.
  listed: null,
  trail: [],

  load() {
    const table = JSON.parse(document.getElementById("steps").textContent);
    const { count } = this;
    for (const name of ["spot", "activation", "depth", "variable", "value", "before", "under", "verdict", "witness", "sources"]) {
      this[name] = new Uint32Array(table[name]);
    }
    this.kind = new Uint8Array(count);
    this.needed = new Uint8Array(count);
    this.number = new Uint32Array(count);
    // Where the sources of each step begin.
    this.begin = new Uint32Array(count + 1);
    for (let at = 0, number = 0; at < count; at++) {
      number += table.number[at];
      this.number[at] = number;
      this.kind[at] = table.what[at] & 15;
      this.needed[at] = table.what[at] >> 4;
      this.begin[at + 1] = this.begin[at] + table.count[at];
    }
    Object.assign(this, { spots: table.spots, texts: table.texts, names: table.names, homes: table.homes });
    // Variables of one name in one place are one to those who look at values.
    const known = new Map();
    this.same = Uint32Array.from(this.names, (name, at) => {
      const key = `${this.homes[at]} ${name}`;
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key);
    });
    this.leftOut = table.left_out;
    this.wholeFrom = table.whole_from;
  },

  text(number) {
    return number ? this.texts[number - 1] : "";
  },

  name(at) {
    const variable = this.variable[at];
    return variable ? this.texts[this.names[variable - 1]] : "";
  },

  functionOf(at) {
    return this.text(this.spots[this.spot[at]][5]);
  },

  statement(at) {
    return this.spots[this.spot[at]][6];
  },

  line(at) {
    return this.spots[this.spot[at]][1];
  },

  place(at) {
    const [file, line, column, end_line, end_column] = this.spots[this.spot[at]];
    return line ? { file, line, column, end_line, end_column } : null;
  },

  // The steps whose values a step used.
  sourcesOf(at) {
    return Array.from(this.sources.subarray(this.begin[at], this.begin[at + 1]), back => at - back);
  },

  // The steps that used what a step assigned.
  usersOf(at) {
    if (!this.users) {
      const first = new Uint32Array(this.count + 1);
      const each = visit => {
        for (let user = 0; user < this.count; user++) {
          for (let i = this.begin[user]; i < this.begin[user + 1]; i++) visit(user - this.sources[i], user);
        }
      };
      each(from => first[from + 1]++);
      for (let from = 0; from < this.count; from++) first[from + 1] += first[from];
      const next = first.slice(), users = new Uint32Array(this.sources.length);
      each((from, user) => { users[next[from]++] = user; });
      this.users = { first, users };
    }
    return Array.from(this.users.users.subarray(this.users.first[at], this.users.first[at + 1]));
  },

  // What a step did, in few words.
  effect(at) {
    const name = this.name(at), value = this.text(this.value[at]), before = this.text(this.before[at]);
    const was = before && before !== value ? ` (was ${before})` : "";
    switch (KINDS[this.kind[at]]) {
      case "held": return value ? `held: ${value}` : "held";
      case "not-held": return value ? `did not hold: ${value}` : "did not hold";
      case "decided": return value ? `was ${value}` : "was decided";
      case "checked": return "held";
      case "failed": return "failed";
      case "passed": return name ? `${name} = ${value}` : `passed ${value}`;
      case "returned": return value ? `returned ${value}` : "returned";
      case "got": return name ? `${name} = ${value}${was}` : `got ${value}`;
      case "input": return name ? `${name} = ${value} (from outside)` : `got ${value} from outside`;
      default: return name ? `${name} = ${value}${was}` : value;
    }
  },

  start(holder) {
    this.load();
    const button = (label, title, action) =>
      element("button", { type: "button", title, "aria-label": title, onclick: action }, label);
    this.slider = element("input", { type: "range", min: 0, max: Math.max(0, this.count - 1), value: 0, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.label = element("output", { class: "position" });
    const only = element("input", { type: "checkbox", id: "only" });
    only.addEventListener("change", () => this.filter(only.checked));
    this.backButton = button("↩ Back", "Back to where you jumped from (Backspace)", () => this.back());
    holder.append(
      element("h2", {}, "Time line"),
      element("p", { class: "hint" }, this.hint()),
      element("div", { class: "controls" },
        button("|◀", "First step (Home)", () => this.move("first")),
        button("◀", "Step back (←)", () => this.move(-1)),
        button("▶", "Step forward (→)", () => this.move(1)),
        button("▶|", "Last step: the failure (End)", () => this.move("last")),
        this.slider, this.label, this.backButton,
        element("label", { for: "only" }, only, " only what the failure depends on")));
    const list = element("div", { tabindex: 0, class: "steps" });
    this.details = element("div", { class: "details", "aria-live": "polite" });
    holder.append(list, this.details);
    this.rows = new Rows(list, { height: 24, draw: index => this.draw(index), label: "Steps", role: "listbox" });
    list.addEventListener("keydown", event => {
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
      if (!by) return;
      event.preventDefault();
      this.move(by);
    });
    this.list();
    this.goTo(this.count - 1, "quietly");
  },

  hint() {
    const parts = [`${plural(this.count, "step")}. ← and → step back and forward; a click on a value goes to the step that it came from.`];
    if (this.leftOut) parts.push(`The first ${plural(this.leftOut, "step")} of this long run are not listed.`);
    if (this.wholeFrom) parts.push(`Before step ${this.wholeFrom}, only steps that the failure depends on were recorded.`);
    return parts.join(" ");
  },

  list() {
    this.rows.setCount(this.listed ? this.listed.length : this.count);
  },

  filter(isOn) {
    this.listed = null;
    if (isOn) this.listed = Uint32Array.from(this.needed.keys()).filter(at => this.needed[at]);
    this.list();
    this.goTo(isOn ? this.listed[this.position(this.at)] : this.at);
  },

  stepAt(index) {
    return this.listed ? this.listed[index] : index;
  },

  // Where a step is in the list; if it is not, the last one before it.
  position(at) {
    if (!this.listed) return at;
    let low = 0, high = this.listed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.listed[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  },

  draw(index) {
    const at = this.stepAt(index);
    const before = index > 0 ? this.stepAt(index - 1) : -1;
    const isNew = before < 0 || this.activation[before] !== this.activation[at];
    const verdict = this.verdict[at];
    const classes = ["row", "moment", KINDS[this.kind[at]]];
    if (this.needed[at]) classes.push("needed");
    if (verdict === 1) classes.push("relevant");
    const isCurrent = at === this.at;
    const row = element("div", { class: classes.join(" "), role: "option", id: `moment-${at}`,
        "aria-selected": isCurrent ? "true" : "false", "data-step": this.number[at] },
      element("span", { class: "number" }, String(this.number[at])),
      element("span", { class: "dot", title: verdict === 1 ? "Relevant: another value here prevents the failure"
        : this.needed[at] ? "The failure depends on it" : null }),
      element("span", { class: "where" }, this.line(at) ? `${this.line(at)}` : ""),
      element("span", { class: "what", style: `--depth:${Math.min(this.depth[at], 10)}` },
        isNew && this.functionOf(at) ? element("span", { class: "function" }, this.functionOf(at)) : "",
        sentenceOrCode(this.statement(at))),
      element("span", { class: "effect" }, this.effect(at)));
    row.addEventListener("click", () => this.goTo(at));
    return row;
  },

  // Goes to a step. Jumps are remembered.
  goTo(at, how) {
    if (!this.count) return;
    at = Math.max(0, Math.min(this.count - 1, at));
    if (how === "jump" && at !== this.at) this.trail.push(this.at);
    const before = this.at;
    this.at = at;
    const index = this.position(at);
    this.rows.again(this.position(before));
    this.rows.again(index);
    this.rows.reveal(index);
    this.rows.holder.setAttribute("aria-activedescendant", `moment-${at}`);
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `step ${this.number[at]}: ${this.statement(at)}, ${this.effect(at)}`);
    this.label.textContent = `step ${this.number[at]}`;
    this.backButton.disabled = this.trail.length === 0;
    if (how === "quietly") return;
    this.drawDetails();
    const place = this.place(at);
    source.setCurrent(place ? { ...place, note: this.effect(at) } : null);
  },

  goToNumber(number) {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.number[middle] <= number) low = middle + 1;
      else high = middle;
    }
    this.goTo(Math.max(0, low - 1), "jump");
  },

  // Goes to the next execution of a line, from the first after the last. Says whether there is one.
  goToLine(file, line) {
    const own = this.spots.map(spot => spot[0] === file && spot[1] === line);
    for (let i = 1; i <= this.count; i++) {
      const at = (this.at + i) % this.count;
      if (own[this.spot[at]]) {
        this.goTo(at, "jump");
        return true;
      }
    }
    return false;
  },

  move(by) {
    const last = (this.listed ? this.listed.length : this.count) - 1;
    const index = by === "first" ? 0 : by === "last" ? last : this.position(this.at) + by;
    this.goTo(this.stepAt(Math.max(0, Math.min(last, index))));
  },

  back() {
    if (this.trail.length) this.goTo(this.trail.pop());
  },

  // A button that jumps to a step and says what it did.
  jump(at, text) {
    return element("button", { type: "button", class: "jump", "data-to": this.number[at],
      title: `Step ${this.number[at]}: ${this.statement(at)}`, onclick: () => this.goTo(at, "jump") },
      text || `${this.effect(at)}`, element("span", { class: "stepnumber" }, ` step ${this.number[at]}`));
  },

  drawDetails() {
    const at = this.at;
    const entry = (term, ...what) => [element("dt", {}, term), element("dd", {}, ...what)];
    const facts = [];
    const sources = this.sourcesOf(at);
    if (sources.length) facts.push(entry("Values came from", sources.map(from => this.jump(from))));
    if (this.under[at]) {
      const guard = at - this.under[at];
      facts.push(entry("Because", this.jump(guard, [sentenceOrCode(this.statement(guard)), ` ${this.effect(guard)}`])));
    }
    const users = this.usersOf(at);
    if (users.length) {
      facts.push(entry("Used by", users.slice(0, 6).map(user => this.jump(user)),
        users.length > 6 ? ` and ${users.length - 6} more` : ""));
    }
    if (this.verdict[at] === 1) {
      const witness = this.text(this.witness[at]);
      facts.push(entry("Relevant", "another value here prevents the failure",
        witness ? [", such as ", code(witness)] : ""));
    } else if (this.verdict[at] === 2) {
      facts.push(entry("Irrelevant", "no other value here would prevent the failure"));
    }
    const where = this.functionOf(at);
    this.details.replaceChildren(
      element("h3", {}, `Step ${this.number[at]}: `, sentenceOrCode(this.statement(at)), element("span", { class: "arrow" }, " → "),
        this.effect(at)),
      element("p", { class: "hint" }, this.line(at) ? `line ${this.line(at)}` : "",
        where ? [" in ", code(where)] : "", this.depth[at] ? `, ${plural(this.depth[at], "call")} deep` : ""),
      facts.length ? element("dl", {}, facts) : "",
      this.valuesTable());
  },

  // The values after the current step: of the function it is in, of globals, and of what is in memory.
  values() {
    const own = this.activation[this.at];
    const groups = [[], [], []];
    const group = this.homes.map(home => home === own ? 0 : home === GLOBAL ? 1 : home === MEMORY ? 2 : -1);
    const seen = new Uint8Array(this.names.length);
    let open = new Set(this.same.filter((_, variable) => group[variable] >= 0)).size;
    for (let at = this.at; at >= 0 && open > 0; at--) {
      const variable = this.variable[at] - 1;
      if (variable < 0 || group[variable] < 0 || seen[this.same[variable]]) continue;
      seen[this.same[variable]] = 1;
      open--;
      groups[group[variable]].push(at);
    }
    return groups;
  },

  valuesTable() {
    const titles = [this.functionOf(this.at) || "here", "global", "memory"];
    const compare = (a, b) => this.name(a).localeCompare(this.name(b), "en", { numeric: true });
    const bodies = this.values().map((group, number) => {
      if (!group.length) return "";
      // Of very many, those that changed last.
      const some = group.slice(0, MOST_VALUES).sort(compare);
      const rows = some.map(at => element("tr", { class: at === this.at ? "changed" : null },
        element("th", { scope: "row" }, code(this.name(at))),
        element("td", {}, element("button", { type: "button", class: "value", "data-to": this.number[at],
          title: `Go to step ${this.number[at]}, which assigned it`, onclick: () => this.goTo(at, "jump") },
          this.text(this.value[at]))),
        element("td", { class: "stepnumber" }, `step ${this.number[at]}`)));
      if (group.length > MOST_VALUES) {
        rows.push(element("tr", {}, element("td", { colspan: 3 }, `and ${group.length - MOST_VALUES} that changed earlier`)));
      }
      return element("tbody", {}, element("tr", {}, element("th", { colspan: 3, class: "group", scope: "rowgroup" },
        titles[number])), rows);
    });
    return element("table", { class: "values" }, element("caption", {}, `Values after step ${this.number[this.at]}`), bodies);
  },

  shown() {
    this.rows.refresh();
    this.goTo(this.at);
  },

  key(event) {
    const action = {
      ArrowRight: () => this.move(1),
      ArrowLeft: () => this.move(-1),
      Home: () => this.move("first"),
      End: () => this.move("last"),
      Backspace: () => this.back(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  },
};
