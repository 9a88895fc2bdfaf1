// A list of many rows of one height, of which only the visible ones are drawn.

class Rows {
  // `draw(index)` makes the row of an index.
  constructor(holder, { height, draw, label, role }) {
    this.height = height;
    this.draw = draw;
    this.count = 0;
    this.drawn = new Map();
    this.space = element("div", { class: "space" });
    this.holder = holder;
    holder.classList.add("rows");
    holder.setAttribute("role", role || "list");
    holder.setAttribute("aria-label", label);
    holder.append(this.space);
    holder.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.later()).observe(holder);
  }

  later() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.update();
    });
  }

  setCount(count) {
    this.count = count;
    this.space.style.height = `${count * this.height}px`;
    this.refresh();
  }

  // Draws the visible rows again.
  refresh() {
    this.space.replaceChildren();
    this.drawn.clear();
    this.update();
  }

  update() {
    const margin = 12;
    const top = this.holder.scrollTop, bottom = top + this.holder.clientHeight;
    const first = Math.max(0, Math.floor(top / this.height) - margin);
    const last = Math.min(this.count, Math.ceil(bottom / this.height) + margin);
    for (const [index, row] of this.drawn) {
      if (index < first || index >= last) {
        row.remove();
        this.drawn.delete(index);
      }
    }
    for (let index = first; index < last; index++) {
      if (this.drawn.has(index)) continue;
      const row = this.draw(index);
      row.style.top = `${index * this.height}px`;
      row.setAttribute("aria-setsize", this.count);
      row.setAttribute("aria-posinset", index + 1);
      this.drawn.set(index, row);
      this.space.append(row);
    }
  }

  // Draws one row again, if it is visible.
  again(index) {
    const old = this.drawn.get(index);
    if (!old) return;
    const row = this.draw(index);
    row.style.top = old.style.top;
    row.setAttribute("aria-setsize", this.count);
    row.setAttribute("aria-posinset", index + 1);
    old.replaceWith(row);
    this.drawn.set(index, row);
  }

  // Scrolls so that a row is visible, in the middle if it was not.
  reveal(index) {
    const top = this.holder.scrollTop, inside = this.holder.clientHeight;
    const begin = index * this.height;
    if (begin < top + this.height || begin + 2 * this.height > top + inside) {
      this.holder.scrollTop = Math.max(0, begin - inside / 2 + this.height);
    }
    this.update();
  }
}
