// The source, with line numbers, how much each line is suspected, and where the time line is.

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline " +
  "int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile " +
  "while _Bool bool true false NULL assert assume axiom call ensures forall exists free function havoc implementation " +
  "invariant modifies procedure requires returns then type unique var where real old").split(" "));
const TOKEN = /\/\/.*|\/\*.*?\*\/|\/\*.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|[A-Za-z_]\w*|\d[\w.]*|[^\w\s"'/]+|\s+|./g;

// Colours one line. `inside` says whether it begins in a comment; the answer, whether it ends in one.
function coloured(text, inside, out) {
  const add = (kind, part) => {
    if (out) out.append(kind ? element("span", { class: kind }, printable(part)) : printable(part));
  };
  if (inside) {
    const end = text.indexOf("*/");
    if (end < 0) {
      add("comment", text);
      return true;
    }
    add("comment", text.slice(0, end + 2));
    text = text.slice(end + 2);
  }
  let open = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const first = token[0];
    if (token.startsWith("//")) add("comment", token);
    else if (token.startsWith("/*")) {
      open = token.length < 4 || !token.endsWith("*/");
      add("comment", token);
    } else if (first === "\"" || first === "'") add("string", token);
    else if (/^\s*#/.test(token)) add("macro", token);
    else if (KEYWORDS.has(token)) add("keyword", token);
    else if (/\d/.test(first)) add("literal", token);
    else add("", token);
  }
  return open;
}

const source = {
  file: 0,
  shown: null,
  current: null,
  lines: [],
  // By file: for each line, the suspects on it.
  heat: files.map(() => new Map()),

  start(holder) {
    for (const suspect of data.suspects || []) {
      const number = suspect.location ? fileNumber(suspect.location.file) : -1;
      if (number < 0) continue;
      const known = this.heat[number].get(suspect.location.line) || [];
      known.push(suspect);
      this.heat[number].set(suspect.location.line, known);
    }
    const list = element("div", { tabindex: 0 });
    this.title = element("h2", {}, "Source");
    this.choice = element("select", { "aria-label": "File" },
      files.map((file, number) => element("option", { value: number }, file.name)));
    this.choice.addEventListener("change", () => this.open(Number(this.choice.value)));
    holder.append(element("div", { class: "bar" }, this.title,
      severalFiles ? this.choice : element("span", { class: "file" }, files[0] ? files[0].name : "")), list);
    this.rows = new Rows(list, { height: 20, draw: index => this.draw(index), label: "Source lines" });
    this.split = files.map(() => null);
    const at = (data.failure || {}).location;
    const first = at ? Math.max(0, fileNumber(at.file)) : 0;
    if (files.length) this.open(first);
    const best = (data.suspects || []).find(suspect => suspect.location);
    if (best) this.show(best.location);
    else if (at) this.show(at);
  },

  // The lines of a file, and which of them begin in a comment.
  linesOf(number) {
    if (!this.split[number]) {
      const lines = files[number].text.split(/\r?\n/);
      if (lines[lines.length - 1] === "") lines.pop();
      let inside = false;
      const begins = lines.map(line => {
        const before = inside;
        if (inside || line.includes("/*")) inside = coloured(line, inside, null);
        return before;
      });
      this.split[number] = { lines, begins };
    }
    return this.split[number];
  },

  open(number) {
    if (!files[number]) return;
    this.file = number;
    this.choice.value = String(number);
    this.lines = this.linesOf(number);
    this.rows.holder.style.setProperty("--digits", String(this.lines.lines.length).length);
    this.rows.holder.scrollTop = 0;
    this.rows.setCount(this.lines.lines.length);
  },

  draw(index) {
    const line = index + 1;
    const suspects = this.heat[this.file].get(line) || [];
    const text = element("code", { class: "text" });
    const raw = this.lines.lines[index];
    const mark = [this.shown, this.current].find(at => at && at.file === this.file && at.line === line);
    this.drawText(text, raw, this.lines.begins[index], mark);
    const failure = (data.failure || {}).location;
    const fails = failure && fileNumber(failure.file) === this.file && failure.line === line;
    // The scores of the best are close to each other, so the rank counts, too.
    const heat = Math.max(0, ...suspects.map(suspect => suspect.score * Math.max(0.12, 0.8 ** (suspect.rank - 1))));
    const classes = ["row", "sourceline"];
    if (fails) classes.push("fails");
    if (this.shown && this.shown.file === this.file && this.shown.line === line) classes.push("shown");
    const now = this.current && this.current.file === this.file && this.current.line === line;
    if (now) classes.push("current");
    const about = suspects.map(s => `suspect ${s.rank}, score ${s.score.toFixed(2)}`).join("; ");
    const row = element("div", { class: classes.join(" "), role: "listitem", "data-line": line, title: about || null },
      element("span", { class: "heat", style: heat ? `--heat:${heat.toFixed(3)}` : null,
        "aria-label": about || null, role: about ? "img" : null }),
      element("span", { class: "number" }, String(line)), text,
      now && this.current.note ? element("span", { class: "note" }, this.current.note) : "",
      fails ? element("span", { class: "note failure" }, "fails here") : "");
    row.addEventListener("click", () => this.clicked(line, suspects));
    return row;
  },

  // The text of a line; what is meant is marked.
  drawText(holder, raw, inside, mark) {
    if (!mark || !mark.column) {
      coloured(raw, inside, holder);
      return;
    }
    const letters = Array.from(raw);
    const begin = Math.min(letters.length, mark.column - 1);
    const end = mark.end_line > mark.line ? letters.length : Math.max(begin, Math.min(letters.length, mark.end_column - 1));
    const marked = element("mark");
    let open = coloured(letters.slice(0, begin).join(""), inside, holder);
    open = coloured(letters.slice(begin, end).join(""), open, marked);
    holder.append(marked);
    coloured(letters.slice(end).join(""), open, holder);
  },

  clicked(line, suspects) {
    if (panels.active === "timeline" && timeline.goToLine(this.file, line)) return;
    if (suspects.length) {
      panels.open("suspects");
      suspectList.select(suspects[0].rank);
    }
  },

  // Shows a place, as the data give it.
  show(at) {
    const number = fileNumber(at.file);
    if (number < 0) return;
    const before = this.shown;
    this.shown = { ...at, file: number };
    this.moveTo(number, at.line, before);
  },

  // Shows where the time line is.
  setCurrent(at) {
    const before = this.current, shown = this.shown;
    this.current = at;
    this.shown = null;
    if (shown && shown.file === this.file) this.rows.again(shown.line - 1);
    if (at) this.moveTo(at.file, at.line, before);
    else if (before && before.file === this.file) this.rows.again(before.line - 1);
  },

  moveTo(number, line, before) {
    if (number !== this.file) this.open(number);
    if (before && before.file === number) this.rows.again(before.line - 1);
    this.rows.again(line - 1);
    this.rows.reveal(line - 1);
  },
};
