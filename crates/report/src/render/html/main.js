// Starts all, and distributes keys.

function startTheme() {
  const wanted = matchMedia("(prefers-color-scheme: dark)");
  const button = element("button", { type: "button", id: "theme" });
  const isDark = () => (document.documentElement.dataset.theme || (wanted.matches ? "dark" : "light")) === "dark";
  const label = () => {
    button.textContent = isDark() ? "☀ Light" : "☾ Dark";
    button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  wanted.addEventListener("change", label);
  label();
  document.querySelector("header").append(button);
}

function startKeys() {
  document.addEventListener("keydown", event => {
    if (panels.active !== "timeline" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, [role=tablist], #source")) return;
    timeline.key(event);
  });
}

// The part that the address names, such as #/causes, or a step, such as #/timeline/12.
function openWanted() {
  const [, name, step] = location.hash.split("/");
  panels.open(name);
  if (name === "timeline" && Number(step)) timeline.goToNumber(Number(step));
}

// Whatever is wrong, what is there without a script stays.
try {
  document.documentElement.classList.add("scripted");
  document.body.append(element("div", { id: "status", class: "hidden", role: "status" }));
  startTheme();
  suspectList.start(document.getElementById("suspects"));
  source.start(document.getElementById("source"));
  panels.start(document.getElementById("panels"));
  startKeys();
  openWanted();
  document.documentElement.dataset.ready = "yes";
} catch (problem) {
  document.body.append(element("p", { role: "alert" }, `A part of this page cannot be shown: ${problem.message}`));
}
