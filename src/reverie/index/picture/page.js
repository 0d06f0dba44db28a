"use strict";
(() => {
  const scene = JSON.parse(document.getElementById("scene").textContent);
  const modules = scene.modules, groups = scene.groups;
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const imports = modules.map(() => []), importers = modules.map(() => []);
  for (const [from, to] of scene.edges) { imports[from].push(to); importers[to].push(from); }

  const TIERS = { core: "#7b4fb5", trusted: "#2f7ebc", testing: "#3a9a5f", sandbox: "#e0a32e" };
  const LOW_HIGH = {
    coverage: [[0, "#b2452f"], [0.5, "#e8c872"], [1, "#1f7a8c"]],
    hotness: [[0, "#dfe7ee"], [0.5, "#f0a35e"], [1, "#a3123a"]],
  };
  const WAYS = ["tier", "coverage", "hotness"];
  const isMeasured = (way) => way === "tier" || modules.some((each) => each[way] !== null);

  const state = { way: "tier", chosen: null, over: null, query: "", found: [], only: false, lines: false };
  const view = { x: 0, y: 0, scale: 1 };

  // ---- small builders; text is only ever set as text
  const shape = (name, attributes, parent) => {
    const node = document.createElementNS(SVG, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(node);
    return node;
  };
  const element = (name, text, className) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };
  const mix = (stops, value) => {
    let at = 1;
    while (at < stops.length - 1 && value > stops[at][0]) at++;
    const [low, from] = stops[at - 1], [high, to] = stops[at];
    const share = Math.max(0, Math.min(1, (value - low) / (high - low)));
    const parts = [1, 3, 5].map((i) => {
      const a = parseInt(from.slice(i, i + 2), 16), b = parseInt(to.slice(i, i + 2), 16);
      return Math.round(a + (b - a) * share);
    });
    return `rgb(${parts.join(",")})`;
  };
  const colourOf = (module) => {
    if (state.way === "tier") return TIERS[module.tier] || "var(--none)";
    const value = module[state.way];
    return value === null ? "var(--none)" : mix(LOW_HIGH[state.way], value);
  };
  const lastName = (name) => name.slice(name.lastIndexOf(".") + 1);
  const times = new Map();
  for (const { name } of modules) times.set(lastName(name), (times.get(lastName(name)) || 0) + 1);
  const leaf = (name) => (times.get(lastName(name)) > 1 ? name.split(".").slice(-2).join(".") : lastName(name));
  const percent = (value) => (value === null ? "not measured" : `${Math.round(value * 1000) / 10} %`);

  // ---- draw
  const rings = groups.map((group) =>
    shape("circle", { class: "ring", cx: group.x, cy: group.y, r: group.r }, byId("rings")));
  const bundles = new Map();
  for (const [from, to] of scene.edges) {
    const a = modules[from].group, b = modules[to].group;
    if (a !== b) { const key = a < b ? `${a} ${b}` : `${b} ${a}`; bundles.set(key, (bundles.get(key) || 0) + 1); }
  }
  for (const [key, count] of bundles) {
    const [a, b] = key.split(" ").map((at) => groups[at]);
    shape("line", { class: "bundle", x1: a.x, y1: a.y, x2: b.x, y2: b.y,
      "stroke-width": Math.min(16, 0.8 + Math.sqrt(count)) }, byId("bundles"));
  }
  const dots = modules.map((module, at) => {
    const dot = shape("circle", { cx: module.x, cy: module.y, r: module.r }, byId("dots"));
    dot.addEventListener("pointerenter", () => { state.over = at; showDetails(); showEdges(); });
    dot.addEventListener("pointerleave", () => { state.over = null; showDetails(); showEdges(); });
    dot.addEventListener("click", (event) => { event.stopPropagation(); choose(state.chosen === at ? null : at); });
    shape("title", {}, dot).textContent = `${module.name} · ${module.loc} lines`;
    return dot;
  });
  const labels = groups.map((group) => {
    const label = shape("text", { class: "label", x: group.x, y: group.y - group.r }, byId("labels"));
    label.textContent = group.label.length > 34 ? group.label.slice(0, 33) + "…" : group.label;
    return label;
  });
  const byRadius = modules.map((_, at) => at).sort((a, b) => modules[b].r - modules[a].r);

  const neighbours = () => {
    const at = state.chosen === null ? state.over : state.chosen;
    return at === null ? null : new Set([at, ...imports[at], ...importers[at]]);
  };
  function showDots() {
    const near = state.chosen === null ? null : neighbours();
    const found = state.query ? new Set(state.found) : null;
    dots.forEach((dot, at) => {
      const module = modules[at];
      const isFar = (near && !near.has(at)) || (found && !found.has(at) && !near) ||
        (state.only && !module.marks.includes("orphan"));
      dot.setAttribute("class", "dot" + (module.marks.includes("orphan") ? " orphan" : "") +
        (module.error ? " broken" : "") + (isFar ? " far" : "") + (at === state.chosen ? " chosen" : ""));
      dot.setAttribute("fill", colourOf(module));
    });
  }
  function showEdges() {
    const holder = byId("edges");
    holder.replaceChildren();
    const line = (from, to, way) => shape("line", { class: `edge ${way}`, x1: modules[from].x,
      y1: modules[from].y, x2: modules[to].x, y2: modules[to].y }, holder);
    if (state.lines) for (const [from, to] of scene.edges) line(from, to, "");
    const at = state.over === null ? state.chosen : state.over;
    if (at !== null) {
      for (const to of imports[at]) line(at, to, "out");
      for (const from of importers[at]) line(from, at, "in");
    }
    showNames();
  }
  function showNames() {
    const holder = byId("names");
    holder.replaceChildren();
    const near = neighbours();
    let count = 0;
    for (const at of byRadius) {
      const module = modules[at], size = module.r * view.scale;
      const isNear = near !== null && near.has(at) && near.size <= 60;
      const isFound = state.query && state.found.length <= 40 && state.found.includes(at);
      const text = leaf(module.name);
      const fits = size * 2 > text.length * 5.2 && size > 8;
      const isAside = state.chosen !== null && near !== null && !near.has(at);
      if (isAside || !(fits || isNear || isFound)) continue;
      if (++count > 400) break;
      const pixels = fits ? Math.min(15, Math.max(9, size * 2 / (text.length * 0.62))) : 11;
      const name = shape("text", { class: "name", x: module.x, y: module.y, "font-size": pixels / view.scale }, holder);
      name.textContent = text;
    }
    labels.forEach((label, at) => {
      const group = groups[at], width = group.r * view.scale * 2;
      label.setAttribute("font-size", Math.max(11, Math.min(20, width / 12)) / view.scale);
      label.setAttribute("y", group.y - group.r - 2 / view.scale);
      label.setAttribute("visibility", width > 46 ? "visible" : "hidden");
      label.classList.toggle("far-label", near !== null);
    });
  }

  // ---- the side
  function showLegend() {
    const legend = byId("legend");
    legend.replaceChildren(element("h2", `Colour: ${state.way}`));
    const key = (colour, text, className) => {
      const row = element("div", undefined, "key"), swatch = element("span", undefined, `swatch ${className || ""}`);
      if (colour) swatch.style.background = colour;
      row.append(swatch, element("span", text));
      legend.append(row);
    };
    if (state.way === "tier") {
      for (const tier in TIERS) if (modules.some((each) => each.tier === tier)) key(TIERS[tier], tier);
    } else {
      const stops = LOW_HIGH[state.way], bar = element("div", undefined, "scale"), ends = element("div", undefined, "ends");
      bar.style.background = `linear-gradient(to right, ${stops.map((stop) => stop[1]).join(",")})`;
      const words = state.way === "coverage" ? ["0 %", "100 % of lines"] : ["quiet", "changes most"];
      ends.append(element("span", words[0]), element("span", words[1]));
      legend.append(bar, ends);
      key("var(--none)", "not measured");
    }
    key(null, "orphan: nothing uses it", "orphan");
    const size = element("div", undefined, "key");
    size.append(element("span", "Size: lines of code. Hull: a group of the module map."));
    legend.append(size);
  }
  function showDetails() {
    const details = byId("details");
    details.replaceChildren();
    const at = state.over === null ? state.chosen : state.over;
    if (at === null) return;
    const module = modules[at];
    details.append(element("h2", module.name));
    if (module.marks.length) details.append(element("p", module.marks.join(", "), "mark-text"));
    const rows = [["path", module.path], ["group", groups[module.group].label], ["lines", module.loc],
      ["functions", module.functions], ["tier", module.tier], ["coverage", percent(module.coverage)],
      ["hotness", module.hotness === null ? "not measured" : module.hotness.toFixed(2)],
      ["layer", module.layer], ["reach", percent(module.reach)]];
    if (module.error) rows.push(["error", module.error]);
    const list = element("dl");
    for (const [term, text] of rows) list.append(element("dt", term), element("dd", String(text)));
    details.append(list);
    for (const reason of module.reasons) details.append(element("p", reason, "reason"));
    addLinks(details, "imports", "out-text", imports[at]);
    addLinks(details, "imported by", "in-text", importers[at]);
  }
  function addLinks(parent, title, className, places) {
    if (!places.length) return;
    parent.append(element("h2", `${title} ${places.length}`, className), linkList(element("ul"), places));
  }
  function linkList(list, places) {
    for (const at of places.slice(0, 60)) {
      const item = element("li"), button = element("button", modules[at].name);
      button.type = "button";
      button.addEventListener("click", () => { choose(at); centre(at); });
      item.append(button);
      list.append(item);
    }
    if (places.length > 60) list.append(element("li", `… and ${places.length - 60} more`));
    return list;
  }
  function choose(at) {
    state.chosen = at;
    showDots(); showDetails(); showEdges();
    remember();
  }
  function search(text) {
    state.query = text.trim().toLowerCase();
    state.found = !state.query ? [] : modules.map((_, at) => at).filter((at) =>
      modules[at].name.toLowerCase().includes(state.query) || modules[at].path.toLowerCase().includes(state.query));
    const list = byId("found");
    list.replaceChildren();
    if (state.query) linkList(list, state.found);
    showDots(); showNames();
  }
  function nextFound() {
    if (!state.found.length) return;
    const at = state.found[(state.found.indexOf(state.chosen) + 1) % state.found.length];
    choose(at); centre(at);
  }

  // ---- the view
  const map = byId("map");
  const place = () => {
    byId("view").setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    showNames();
  };
  function fit() {
    const left = Math.min(...groups.map((g) => g.x - g.r)), right = Math.max(...groups.map((g) => g.x + g.r));
    const top = Math.min(...groups.map((g) => g.y - g.r)), bottom = Math.max(...groups.map((g) => g.y + g.r));
    const width = map.clientWidth || 900, height = map.clientHeight || 600;
    if (!groups.length) return;
    view.scale = Math.min(width / (right - left), height / (bottom - top)) * 0.94;
    view.x = width / 2 - view.scale * (left + right) / 2;
    view.y = height / 2 - view.scale * (top + bottom) / 2;
    place();
  }
  function zoom(factor, x = map.clientWidth / 2, y = map.clientHeight / 2) {
    const scale = Math.max(0.02, Math.min(40, view.scale * factor)), share = scale / view.scale;
    view.x = x - (x - view.x) * share;
    view.y = y - (y - view.y) * share;
    view.scale = scale;
    place();
  }
  function centre(at) {
    view.scale = Math.max(view.scale, 1.6);
    view.x = map.clientWidth / 2 - modules[at].x * view.scale;
    view.y = map.clientHeight / 2 - modules[at].y * view.scale;
    place();
  }
  let drag = null;
  map.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, y: event.clientY, moved: false }; });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (Math.abs(dx) + Math.abs(dy) < 3 && !drag.moved) return;
    view.x += dx; view.y += dy;
    drag = { x: event.clientX, y: event.clientY, moved: true };
    map.classList.add("moving");
    place();
  });
  window.addEventListener("pointerup", () => { drag = null; map.classList.remove("moving"); });
  map.addEventListener("click", () => choose(null));
  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = map.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  window.addEventListener("resize", fit);

  // ---- the tools; what was chosen is in the address, so that a view is a link
  const colour = byId("colour");
  for (const way of WAYS) {
    const option = element("option", isMeasured(way) ? way : `${way} (not measured)`);
    option.value = way;
    option.disabled = !isMeasured(way);
    colour.append(option);
  }
  const setWay = (way) => { state.way = way; colour.value = way; showDots(); showLegend(); remember(); };
  const setOnly = (on) => { state.only = on; byId("only").checked = on; showDots(); remember(); };
  const setLines = (on) => { state.lines = on; byId("lines").checked = on; showEdges(); };
  const setTheme = (theme) => {
    document.documentElement.dataset.theme = theme;
    byId("theme").textContent = theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("reverie-theme", theme); } catch { /* kept for this page only */ }
  };
  function remember() {
    const parts = new URLSearchParams({ colour: state.way });
    if (state.only) parts.set("orphans", "1");
    if (state.chosen !== null) parts.set("module", modules[state.chosen].path);
    try { history.replaceState(null, "", `#${parts}`); } catch { /* some viewers forbid it */ }
  }
  colour.addEventListener("change", () => setWay(colour.value));
  byId("only").addEventListener("change", (event) => setOnly(event.target.checked));
  byId("lines").addEventListener("change", (event) => setLines(event.target.checked));
  byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  byId("fit").addEventListener("click", fit);
  const toggleHelp = () => {
    byId("help").hidden = !byId("help").hidden;
    byId("keys").setAttribute("aria-expanded", String(!byId("help").hidden));
  };
  byId("keys").addEventListener("click", toggleHelp);
  const find = byId("search");
  find.addEventListener("input", () => search(find.value));
  find.addEventListener("keydown", (event) => { if (event.key === "Enter") nextFound(); });
  const nextWay = () => {
    const ways = WAYS.filter(isMeasured);
    setWay(ways[(ways.indexOf(state.way) + 1) % ways.length]);
  };
  const step = (dx, dy) => { view.x += dx; view.y += dy; place(); };
  const KEYS = {
    "/": () => find.focus(), c: nextWay, o: () => setOnly(!state.only), l: () => setLines(!state.lines),
    t: () => byId("theme").click(), "?": toggleHelp, "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit,
    ArrowLeft: () => step(60, 0), ArrowRight: () => step(-60, 0), ArrowUp: () => step(0, 60), ArrowDown: () => step(0, -60),
  };
  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { find.value = ""; search(""); choose(null); find.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === find || event.target === colour) return;
    if (KEYS[event.key]) { event.preventDefault(); KEYS[event.key](); }
  });

  const asked = new URLSearchParams(location.hash.slice(1));
  let theme = null;
  try { theme = localStorage.getItem("reverie-theme"); } catch { /* none kept */ }
  setTheme(theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  const orphans = modules.filter((each) => each.marks.includes("orphan")).length;
  byId("totals").textContent = `${modules.length} modules, ${scene.edges.length} imports, ${groups.length} groups, ${orphans} orphans`;
  const wanted = modules.findIndex((each) => each.path === asked.get("module"));
  state.only = asked.get("orphans") === "1";
  byId("only").checked = state.only;
  setWay(WAYS.includes(asked.get("colour")) && isMeasured(asked.get("colour")) ? asked.get("colour")
    : WAYS.find((way) => way !== "tier" && isMeasured(way)) || "tier");
  fit();
  if (wanted >= 0) choose(wanted);
})();
