  check("it is not wider than the window", document.documentElement.scrollWidth <= innerWidth);
  check("there are no causes", !one("#tab-causes"));
