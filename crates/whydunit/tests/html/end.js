  check("a part is broken: " + text("[role=alert]"), !one("[role=alert]"));
} catch (problem) {
  wrong.push(String(problem.stack || problem));
}
one("#data").remove();
one("#steps").remove();
document.documentElement.dataset.opened = Math.round(opened);
document.documentElement.dataset.wrong = wrong.join("; ") || "nothing";
