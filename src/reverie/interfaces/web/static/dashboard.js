// Comfort only: every page works without it. Nothing a journal holds is ever run or parsed as code.
"use strict";

const page = () => document.getElementById("main");
const status = document.getElementById("live");

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  redrawPlots();
  document.cookie = `reverie_theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
}

// Rows: j and k go from link to link, so that Enter opens and a screen reader says where one is.
function rows() { return [...page().querySelectorAll("a.row")]; }

function move(step) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(document.activeElement);
  const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function mark() {
  page().querySelectorAll("tr.here").forEach((row) => row.classList.remove("here"));
  const row = document.activeElement && document.activeElement.closest && document.activeElement.closest("table.rows tr");
  if (row) row.classList.add("here");
}

function follow(rel) {
  const link = page().querySelector(`a[rel~="${rel}"]`);
  if (link) link.click();
}

const places = {
  o: "/", w: "/approvals", d: "/dreams", f: "/findings", m: "/modules", c: "/cycles",
  t: "/figures", e: "/experiments", p: "/map", x: "/executions",
};
let isGoing = false;

function pressed(event) {
  const field = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && field) { field.blur(); return; }
  const menu = document.querySelector("nav details[open]");
  if (event.key === "Escape" && menu) { menu.open = false; menu.querySelector("summary").focus(); return; }
  if (field) return;
  if (isGoing) { isGoing = false; if (places[event.key]) location.href = places[event.key]; return; }
  const acts = {
    j: () => move(1), k: () => move(-1), n: () => follow("next"), u: () => follow("up"),
    t: toggleTheme, g: () => { isGoing = true; },
    "/": () => document.getElementById("search").focus(),
    "?": () => document.getElementById("help").showModal(),
  };
  if (acts[event.key]) { event.preventDefault(); acts[event.key](); }
}

// Live: the same address is asked for again, and what differs is put in place. Scroll, focus, opened
// details and half-written forms stay.
function isBusy() {
  const kept = page().querySelector("[data-keep]");
  const field = document.activeElement;
  return page().querySelector(".zoomed") || (kept && kept.contains(field)) || (field && page().contains(field) && field.matches("input, select"));
}

let seen = null;
async function refresh() {
  if (isBusy()) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "error" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (!fresh || fresh.innerHTML === seen || isBusy()) return;
  seen = fresh.innerHTML;
  const opened = [...page().querySelectorAll("details")].map((each) => each.open);
  const focused = document.activeElement && document.activeElement.getAttribute("href");
  const [x, y] = [scrollX, scrollY];
  page().replaceChildren(...fresh.childNodes);
  page().querySelectorAll("details").forEach((each, at) => { if (opened[at] !== undefined) each.open = opened[at]; });
  if (focused) { const again = page().querySelector(`a[href="${CSS.escape(focused)}"]`); if (again) again.focus({ preventScroll: true }); }
  drawPlots(page());
  arm();
  scrollTo(x, y);
}

let timer = null;
function listen() {
  const source = new EventSource("/live");
  source.addEventListener("open", () => { status.textContent = "updates by itself"; });
  source.addEventListener("error", () => { status.textContent = "not connected: load the page again"; });
  source.addEventListener("pulse", () => {
    clearTimeout(timer);
    timer = setTimeout(() => refresh().catch(() => { status.textContent = "not connected: load the page again"; }), 150);
  });
}

// Commands are copied where the browser lets us; otherwise they are marked, to be copied by hand.
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(button.previousElementSibling);
    button.textContent = "Marked";
  }
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

function clicked(event) {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  const menu = document.querySelector("nav details[open]");
  if (menu && !menu.contains(event.target)) menu.open = false;
}

// What forms carry came with the link, behind its #. It is kept for this host and port alone: a cookie is
// sent to every port of the host.
const WORD = "reverie_word";
if (location.hash.startsWith("#word=")) {
  localStorage.setItem(WORD, location.hash.slice(6));
  history.replaceState(null, "", location.pathname + location.search);
}
function arm() {
  document.querySelectorAll("input[name=word]").forEach((each) => { each.value = localStorage.getItem(WORD) || ""; });
}

document.addEventListener("click", clicked);
document.addEventListener("keydown", pressed);
document.addEventListener("focusin", mark);
document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());
document.querySelectorAll(".filters select").forEach((each) => each.addEventListener("change", () => each.form.requestSubmit()));
if (!location.pathname.startsWith("/login")) listen();
drawPlots(document);
arm();
