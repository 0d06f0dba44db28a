// Draws plots again with uPlot, so that they can be pointed at and zoomed into. Without it, or without
// scripts, the drawing of the server stays. Texts go into canvases and text nodes only.
"use strict";

const drawn = new Set();

// A colour variable may hold light-dark(): only an element that uses it knows which half counts.
function ink(host, name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function faded(shade, part) {
  const [r, g, b] = (shade.match(/[\d.]+/g) || [0, 0, 0]).map(Number);
  return `rgba(${r}, ${g}, ${b}, ${part})`;
}

function columnsOf(given) {
  const count = given.values.length;
  const none = Array(Math.max(0, count - 1)).fill(null);
  const rest = Array(given.ahead.length).fill(null);
  const columns = [given.labels.map((_, at) => at), [...given.values, ...rest]];
  if (given.ahead.length) {
    const last = given.values[count - 1];
    for (let part = 0; part < 5; part++) columns.push([...none, last, ...given.ahead.map((each) => each[part])]);
  }
  return columns;
}

function optionsOf(host, given, width) {
  const [line, soft, grid, card] = ["--accent", "--soft", "--line", "--card"].map((name) => ink(host, name));
  const told = (value) => (value == null ? "" : `${+value.toPrecision(3)}${given.unit}`);
  const hidden = { stroke: "transparent", points: { show: false } };
  const series = [{}, { stroke: line, width: 2, points: { show: true, size: 8, fill: card, width: 2 } }];
  if (given.ahead.length) series.push({ stroke: line, width: 2, dash: [6, 4], points: { show: false } }, hidden, hidden, hidden, hidden);
  const wide = (u, values) => Math.ceil(Math.max(...(values || [""]).map((each) => each.length)) * 7 + 18);
  const half = Math.ceil(Math.max(0, ...given.labels.map((each) => each.length)) * 3.6);
  return {
    width, height: 240, series, legend: { show: false }, padding: [12, Math.max(18, half), 0, 0],
    bands: given.ahead.length ? [{ series: [6, 5], fill: faded(line, .12) }, { series: [4, 3], fill: faded(line, .2) }] : [],
    scales: { x: { time: false, range: (u, low, high) => (given.labels.length === 1 ? [-1, 1] : [low - .1, high + .1]) }, y: { range: (u, low, high) => yRange(given, low, high) } },
    cursor: { drag: { x: true, y: false }, points: { size: 9 } },
    axes: [
      { stroke: soft, grid: { show: false }, ticks: { stroke: grid }, border: { show: true, stroke: grid, width: 1 }, space: 78, incrs: [1, 2, 5, 10, 20, 50],
        values: (u, splits) => splits.map((at) => (Number.isInteger(at) ? given.labels[at] || "" : "")) },
      { stroke: soft, grid: { stroke: grid, width: 1 }, ticks: { show: false }, size: wide, splits: (u, axis, low, high) => gridLines(low, high), values: (u, splits) => splits.map(told) },
    ],
    hooks: { setCursor: [(u) => point(host, u, given, told)], setScale: [(u, name) => { if (name === "x") zoomed(host, u, given); }] },
  };
}

function yRange(given, low, high) {
  if (low == null) return [0, 1];
  const room = Math.max(.08 * (high - low), (given.least - (high - low)) / 2) || .05 * Math.abs(high) || 1;
  const bottom = given.low == null ? low - room : Math.max(low - room, given.low);
  const top = given.high == null ? high + room : Math.min(high + room, given.high);
  const [from, to] = bottom < top ? [bottom, top] : [bottom - 1, top + 1];
  const step = stepOf(to - from);
  return [Math.floor(from / step) * step, Math.ceil(to / step) * step];
}

// Grid lines stand at round values, the first below and the last above all points.
function stepOf(span) {
  const size = 10 ** Math.floor(Math.log10(span / 4));
  return [1, 2, 2.5, 5, 10].map((each) => each * size).find((each) => each >= span / 4 - 1e-9);
}

function gridLines(low, high) {
  const isWhole = (step) => Math.abs((high - low) / step - Math.round((high - low) / step)) < 1e-6;
  const step = [1, .75, .5].map((part) => stepOf(part * (high - low))).find(isWhole) || (high - low) / 4;
  return Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
}

function point(host, u, given, told) {
  const tip = host.querySelector(".tip");
  const at = u.cursor.idx;
  const value = at == null ? null : (u.data[1][at] ?? (u.data[2] && u.data[2][at]));
  if (!tip || value == null || u.cursor.left < 0) { if (tip) tip.hidden = true; return; }
  tip.hidden = false;
  tip.textContent = `${[given.labels[at], given.notes[at]].filter(Boolean).join(" ")}: ${told(value)}`;
  const x = u.over.offsetLeft + u.valToPos(at, "x");
  tip.style.left = `${Math.max(0, Math.min(x - tip.offsetWidth / 2, host.clientWidth - tip.offsetWidth))}px`;
  tip.style.top = `${Math.max(0, u.over.offsetTop + u.valToPos(value, "y") - tip.offsetHeight - 10)}px`;
  u.over.style.cursor = given.links[at] ? "pointer" : "default";
}

function zoomed(host, u, given) {
  const { min, max } = u.scales.x;
  host.classList.toggle("zoomed", min != null && (min > .2 || max < given.labels.length - 1.2));
}

function draw(host) {
  let given;
  try { given = JSON.parse(host.dataset.plot); } catch { return; }
  const still = host.querySelector("svg");
  const width = host.clientWidth;
  if (!width || typeof uPlot === "undefined") return;
  host.querySelectorAll(".uplot, .tip").forEach((each) => each.remove());
  const tip = document.createElement("span");
  tip.className = "tip";
  tip.hidden = true;
  const plot = new uPlot(optionsOf(host, given, width), columnsOf(given), host);
  host.append(tip);
  still.style.display = "none";
  host.setAttribute("role", "img");
  host.setAttribute("aria-label", `${still.getAttribute("aria-label")}. The numbers are below.`);
  let pressedAt = 0;
  plot.over.addEventListener("mousedown", (event) => { pressedAt = event.clientX; });
  plot.over.addEventListener("click", (event) => {
    const link = given.links[plot.cursor.idx];
    const near = Math.abs(plot.valToPos(plot.cursor.idx ?? -1, "x") - plot.cursor.left) < 9;
    if (link && near && Math.abs(event.clientX - pressedAt) < 4) location.href = link;
  });
  drawn.add(host);
  host.plot = plot;
}

function drawPlots(root) { root.querySelectorAll("[data-plot]").forEach(draw); }

function redrawPlots() {
  drawn.forEach((host) => { if (host.isConnected) draw(host); else drawn.delete(host); });
}

let sizing = null;
addEventListener("resize", () => { clearTimeout(sizing); sizing = setTimeout(redrawPlots, 120); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawPlots);
