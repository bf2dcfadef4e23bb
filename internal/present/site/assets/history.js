// The history of a cell over its sessions.
import {TabulatorFull as Tabulator} from "./tabulator.js";
import {roles, make, clean, figure, sure, change, date, get, unitOf} from "./lib.js";

const place = document.getElementById("history");
let chart = null, list = null;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const seconds = (text) => Date.parse(text) / 1000;

// drawn returns what is drawn of a night: its ratio to the control of the same session if the cell has one, else its value.
const none = {value: null, lo: null, hi: null};
const drawn = (doc, n) => doc.control ? n.ratio ?? none : n;

const unitIn = (doc) => unitOf(doc.cell.workload, doc.cell.unit);

// level writes a level of what is drawn.
const level = (doc, v) => doc.control ? v.toFixed(3) : figure(v, unitIn(doc));

// ratio writes the ratio of a night to its control or the nights before, with its interval.
const ratio = (n) => n.ratio ? change(n.ratio.value) : "";
const ratioSure = (n) => n.ratio && n.ratio.lo !== null ? `${change(n.ratio.lo)} to ${change(n.ratio.hi)}` : "";

// look is how a change is drawn: as neither if its metric has no better direction.
const look = (doc, s) => !["higher", "lower"].includes(doc.cell.better) ? "" : s.better ? "good" : "bad";
const inked = (doc, s) => colour({good: "--good", bad: "--bad"}[look(doc, s)] ?? "--soft");

// range leaves the noise as small as it is: the axis spans a tenth of the value at least.
const range = (nights) => {
  const all = nights.flatMap((n) => [n.value, n.lo, n.hi]).filter((v) => Number.isFinite(v) && v !== null);
  const lo = Math.min(...all), hi = Math.max(...all), middle = (lo + hi) / 2, half = Math.max((hi - lo) * .6, Math.abs(middle) * .05) || 1;
  return [lo >= 0 ? Math.max(0, middle - half) : middle - half, middle + half];
};

// apart moves instants that a chart would draw on one place so that each session has its own.
const apart = (x) => {
  const least = (x.at(-1) - x[0]) / (2 * x.length) || 1;
  const out = [];
  for (const at of x) out.push(out.length ? Math.max(at, out.at(-1) + least) : at);
  return out;
};

// days names instants: by day, or by the minute if they are close.
const days = (_, ticks, axis, space, step) => ticks.map((t) => {
  const text = new Date(t * 1000).toISOString();
  return step >= 86400 ? text.slice(0, 10) : text.slice(5, 16).replace("T", " ");
});

const plot = (doc, box) => {
  const nights = doc.nights, seen = nights.map((n) => drawn(doc, n)), x = apart(nights.map((n) => seconds(n.began))), y = seen.map((n) => n.value);
  const marks = (u) => {
    const c = u.ctx, ratio = devicePixelRatio, top = u.bbox.top, bottom = top + u.bbox.height;
    c.save();
    c.lineWidth = 1.5 * ratio;
    const line = (at, stroke, dash) => {
      c.strokeStyle = stroke;
      c.setLineDash(dash.map((d) => d * ratio));
      c.beginPath();
      c.moveTo(at, top);
      c.lineTo(at, bottom);
      c.stroke();
      c.setLineDash([]);
    };
    nights.forEach((n, i) => {
      if (n.changed.length) line(u.valToPos(x[i], "x", true), colour("--soft"), [3, 3]);
      const {lo, hi} = seen[i];
      if (lo === null) return;
      c.strokeStyle = colour("--s0");
      c.globalAlpha = .5;
      c.beginPath();
      c.moveTo(u.valToPos(x[i], "x", true), u.valToPos(lo, "y", true));
      c.lineTo(u.valToPos(x[i], "x", true), u.valToPos(hi, "y", true));
      c.stroke();
      c.globalAlpha = 1;
    });
    let from = 0;
    [...doc.changes, null].forEach((s, i) => {
      const to = s ? s.at : nights.length, height = i ? doc.changes[i - 1].after : s?.before;
      if (height !== undefined) {
        c.strokeStyle = colour("--text");
        c.globalAlpha = .55;
        c.beginPath();
        c.moveTo(u.valToPos(x[from], "x", true), u.valToPos(height, "y", true));
        c.lineTo(u.valToPos(x[to - 1], "x", true), u.valToPos(height, "y", true));
        c.stroke();
        c.globalAlpha = 1;
      }
      if (s) {
        const at = (u.valToPos(x[s.at - 1], "x", true) + u.valToPos(x[s.at], "x", true)) / 2;
        line(at, inked(doc, s), []);
        c.fillStyle = inked(doc, s);
        c.font = `600 ${12 * ratio}px system-ui, sans-serif`;
        c.textAlign = at > u.bbox.left + u.bbox.width - 70 * ratio ? "right" : "left";
        c.fillText(` ${change(s.ratio)} `, at, top + 12 * ratio);
      }
      from = to;
    });
    c.restore();
  };
  const axis = {stroke: () => colour("--soft"), grid: {stroke: () => colour("--grid"), width: 1}, ticks: {stroke: () => colour("--grid")}, font: "12px system-ui, sans-serif"};
  chart?.destroy();
  chart = new uPlot({
    width: box.clientWidth, height: 320, padding: [8, 40, 0, 0], tzDate: (t) => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"), legend: {show: false},
    scales: {y: {range: range(seen)}},
    axes: [{...axis, space: 90, values: days}, {...axis, size: 84, values: (_, ticks) => ticks.map((v) => doc.control ? v.toFixed(2) : figure(v, unitIn(doc)))}],
    series: [{}, {stroke: () => colour("--s0"), width: 0, paths: () => null, points: {show: true, size: 6, fill: () => colour("--s0")}}],
    cursor: {drag: {x: true, y: false}}, hooks: {draw: [marks], setCursor: [(u) => tip(u, doc)]},
  }, [x, y], box);
  new ResizeObserver(() => chart?.setSize({width: box.clientWidth, height: 320})).observe(box);
};

const tip = (u, doc) => {
  const n = doc.nights[u.cursor.idx], box = document.getElementById("tip"), unit = unitIn(doc);
  box.textContent = n ? `${date(n.began)}  ${figure(n.value, unit)} ${sure(n, unit)}, ${n.n} runs  ${[ratio(n), ratioSure(n)].filter(Boolean).join(", ")}  ${clean(n.changed.join("; "))}` : "Point at a night for its figures.";
};

const one = (doc) => {
  const c = doc.cell, title = clean(c.title);
  document.title = `Plimsoll: history of ${title}`;
  const box = make("div", {class: "chart", id: "chart", role: "img", "aria-label": `${title} over ${doc.nights.length} sessions`});
  const said = doc.changes.map((s) => make("li", {class: look(doc, s)}, make("b", {}, change(s.ratio)), ` from ${date(s.began).slice(0, 10)} on: median ${level(doc, s.before)} before, ${level(doc, s.after)} after (p ${s.p.toPrecision(1)})`));
  const marked = doc.nights.filter((n) => n.changed.length);
  place.replaceChildren(
    make("p", {class: "links"}, make("a", {href: "/history"}, "All cells")), make("h1", {}, title),
    make("p", {class: "soft"}, `${clean(c.machine)}: ${clean(c.metric)}, ${doc.nights.length} session${doc.nights.length === 1 ? "" : "s"}. Bars are 95% CIs.`),
    ...(doc.control ? [make("p", {class: "soft", id: "control"}, `Drawn: the ratio of each night to its own control, ${clean(doc.control.title)}.`)] : []),
    box, make("p", {class: "soft tipline", id: "tip"}, "Point at a night for its figures."),
    make("h2", {}, "Suspected changes"),
    doc.changes.length ? make("ul", {class: "plainlist", id: "suspected"}, ...said) : make("p", {class: "soft", id: "suspected"}, "none"),
    make("p", {class: "soft"}, `Suspected only: about ${100 * doc.alpha}% of the histories without a change have one here, more if nights depend on each other. A comparison of two sessions decides.`),
    make("h2", {}, "Changes of the machine"),
    marked.length ? make("ul", {class: "plainlist", id: "marked"}, ...marked.map((n) => make("li", {}, make("b", {}, date(n.began).slice(0, 10)), ` ${clean(n.changed.join("; "))}`))) : make("p", {class: "soft", id: "marked"}, "none"),
    make("h2", {}, "Sessions"), nightsTable(doc));
  if (doc.nights.length) plot(doc, box);
  place.dataset.ready = c.id;
};

const nightsTable = (doc) => make("div", {class: "scroll"}, make("table", {class: "stack"},
  make("thead", {}, make("tr", {}, ...["Began (UTC)", "Session", "Estimate", "95%", "Runs", doc.control ? "To its control" : "To earlier nights", "95%", "State"].map((h, i) => make("th", {class: i > 1 && i < 7 ? "num" : ""}, h)))),
  make("tbody", {}, ...doc.nights.toReversed().slice(0, 200).map((n) => make("tr", {}, make("td", {}, date(n.began)), make("td", {}, make("a", {href: `/compare?${new URLSearchParams({file: n.file})}`}, clean(n.file))),
    make("td", {class: "num"}, make("b", {}, figure(n.value, unitIn(doc)))), make("td", {class: "num soft"}, sure(n, unitIn(doc))), make("td", {class: "num"}, String(n.n)), make("td", {class: "num", "data-name": doc.control ? "to its control" : "to earlier nights"}, ratio(n)), make("td", {class: "num soft"}, ratioSure(n)), make("td", {}, make("span", {class: `state ${n.state}`}, n.state)))))));

const all = (doc) => {
  document.title = "Plimsoll: history";
  const box = make("div", {id: "cells"});
  place.replaceChildren(make("h1", {}, "History"), make("p", {class: "soft"}, doc.cells.length ? "Cells that several sessions measured." : "No two sessions measured the same cell of the same machine."), box);
  if (!doc.cells.length) return;
  const link = (cell) => make("a", {href: `/history?${new URLSearchParams({cell: cell.getData().id})}`}, clean(cell.getValue()));
  const text = (cell) => make("span", {}, clean(cell.getValue()));
  list = new Tabulator(box, {
    height: "100%", layout: "fitColumns", responsiveLayout: "hide", data: doc.cells, headerSortElement: "<span class='arrow'></span>",
    columns: [
      {title: "Cell", field: "title", formatter: link, widthGrow: 3, minWidth: 160, responsive: 0}, {title: "Machine", field: "machine", formatter: text, widthGrow: 2, minWidth: 110, responsive: 0},
      {title: "Suspected", field: "marked", formatter: (cell) => make("span", {class: /^worse/.test(cell.getValue() ?? "") ? "bad" : "good"}, clean(cell.getValue() ?? "")), widthGrow: 2, minWidth: 130, responsive: 0},
      {title: "Metric", field: "metric", formatter: text, minWidth: 100, responsive: 3}, {title: "Sessions", field: "sessions", hozAlign: "right", headerHozAlign: "right", width: 100, responsive: 1},
      {title: "Last (UTC)", field: "last", formatter: (cell) => date(cell.getValue()), width: 140, responsive: 2},
    ],
  });
  list.on("tableBuilt", () => roles(box));
  place.dataset.ready = "all";
};

export const show = async (query, say) => {
  const cell = query.get("cell") ?? "";
  list?.destroy();
  chart?.destroy();
  list = chart = null;
  place.replaceChildren(make("p", {class: "soft"}, "reading …"));
  delete place.dataset.ready;
  try {
    const doc = await get("/api/history", new URLSearchParams(cell ? {cell} : {}));
    if (place.hidden || (new URLSearchParams(location.search).get("cell") ?? "") !== cell) return;
    say("");
    if (cell && doc.cell) one(doc);
    else if (!cell) all(doc);
    if (doc.pending) setTimeout(() => !place.hidden && show(query, say), 1000);
  } catch (e) {
    place.replaceChildren(make("p", {class: "links"}, make("a", {href: "/history"}, "All cells")), make("p", {class: "problem"}, clean(e.message)));
  }
};
