// The list of suspects is there without a script; here it can be clicked, and says more.

const suspectList = {
  start(holder) {
    this.holder = holder;
    for (const suspect of data.suspects || []) {
      const entry = holder.querySelector(`li[data-rank="${suspect.rank}"]`);
      if (!entry) continue;
      const place = entry.querySelector(".place");
      if (place && suspect.location) place.replaceWith(placeButton(suspect.location));
      if (suspect.fix) entry.querySelector(".what").append(this.fixButton(suspect.fix));
      entry.addEventListener("click", () => this.select(suspect.rank));
      this.extend(entry, suspect);
    }
  },

  fixButton(rank) {
    const button = element("button", { class: "step", type: "button", title: "Show the fix that edits it" }, `fix ${rank}`);
    button.addEventListener("click", event => {
      event.stopPropagation();
      panels.open("fixes");
      document.querySelector(`[data-fix="${rank}"]`).scrollIntoView({ block: "nearest" });
    });
    return button;
  },

  extend(entry, suspect) {
    const facts = [];
    if (suspect.role) facts.push(suspect.role);
    if (suspect.executions && suspect.executions.of > 1) {
      facts.push(`relevant in ${suspect.executions.relevant} of ${suspect.executions.of} executions`);
    }
    facts.push(...(suspect.techniques || []));
    entry.append(element("p", { class: "tags" },
      element("span", { class: "tag scored" }, `score ${suspect.score.toFixed(2)}`),
      facts.map(fact => element("span", { class: "tag" }, fact))));
    const evidence = suspect.evidence || [];
    const terms = suspect.terms || [];
    if (!evidence.length && !terms.length) return;
    entry.append(element("details", {}, element("summary", {}, "Evidence"),
      evidence.length ? element("ul", { class: "evidence" }, evidence.map(item => element("li", {},
        element("strong", {}, item.technique || ""), " ", sentence(item.text || "")))) : "",
      terms.length ? element("table", {}, element("caption", {}, "How the score comes about"),
        element("tbody", {}, terms.map(term => element("tr", {}, element("th", { scope: "row" }, term.name || ""),
          element("td", { class: "amount" }, Number(term.points).toFixed(2)),
          element("td", { class: "hint" }, term.amount === undefined || term.amount === 1 ? "" : `× ${term.amount}`))))) : ""));
  },

  select(rank) {
    const suspect = (data.suspects || []).find(other => other.rank === rank);
    for (const entry of this.holder.querySelectorAll("li[data-rank]")) {
      entry.classList.toggle("selected", entry.dataset.rank === String(rank));
    }
    const entry = this.holder.querySelector("li.selected");
    if (entry) entry.scrollIntoView({ block: "nearest" });
    if (suspect && suspect.location) source.show(suspect.location);
  },
};
