const wrong = [];
const check = (what, holds) => { if (!holds) wrong.push(what); };
const one = (selector, from) => (from || document).querySelector(selector);
const all = (selector, from) => [...(from || document).querySelectorAll(selector)];
const click = selector => { const it = one(selector); check("there is no " + selector, it); if (it) it.click(); };
const press = (key, on) => (on || document.activeElement || document.body)
  .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const text = selector => { const it = one(selector); return it ? it.textContent : ""; };
const open = name => click("#tab-" + name);
document.body.getBoundingClientRect();
const opened = performance.now();
try {
  check("the page is not ready: " + text("[role=alert]"), document.documentElement.dataset.ready === "yes");
  for (const it of all("button, input, select")) {
    check("a control has no name: " + it.outerHTML, it.textContent.trim() || it.getAttribute("aria-label") || it.labels && it.labels.length);
  }
