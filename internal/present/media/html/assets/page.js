"use strict";

// What answers to the reader: charts that can be asked, enlarged and thinned out, and
// the rows of the other drawings.
(() => {
  const {page, make, onResize, withX, drawZones, nameZones, drawMarks, drawNotes, xAxis, yAxis, seriesOf, nearest, text} = window.plimsoll;
  const live = [];

  const start = (chart) => {
    const figure = document.getElementById(chart.id), drawing = figure.querySelector("svg.drawn");
    const height = Number(drawing.getAttribute("height")) + 10, lines = chart.lines.map(withX);
    const box = document.createElement("div");
    box.className = "live";
    box.tabIndex = 0;
    box.setAttribute("role", "img");
    box.setAttribute("aria-labelledby", drawing.getAttribute("aria-labelledby"));
    drawing.after(box);
    figure.classList.add("answers");
    const u = new uPlot(options(chart, lines, figure, box, height), uPlot.join(lines.map((l) => [l.x, l.y])), box);
    const whole = () => u.setScale("x", {min: chart.x.lo, max: chart.x.hi});
    const button = make(figure, "button", "whole");
    Object.assign(button, {type: "button", textContent: "whole range", hidden: true, onclick: whole});
    u.over.addEventListener("dblclick", whole);
    u.hooks.setScale = [(_, key) => {
      if (key === "x") button.hidden = u.scales.x.min <= chart.x.lo && u.scales.x.max >= chart.x.hi;
    }];
    tip(u, chart, lines, box);
    legend(u, figure, lines);
    onResize(box, (width) => u.setSize({width, height}));
    whole();
    figure.plot = u;
    live.push(u);
  };

  const options = (chart, lines, figure, box, height) => ({
    width: box.clientWidth, height, padding: [8, 12, 0, 0], legend: {show: false},
    scales: {x: {time: false, distr: chart.x.log ? 3 : 1, log: 2, range: (_, min, max) => [min, max]}, y: {range: () => [chart.y.lo, chart.y.hi]}},
    axes: [xAxis(chart.x), yAxis()],
    series: [{}, ...lines.map(seriesOf)],
    cursor: {points: {show: false}, y: false, drag: {x: true, y: false, dist: 8}, bind: {dblclick: () => null}},
    hooks: {
      drawClear: [(u) => drawZones(u, chart)],
      draw: [(u) => {
        nameZones(u, chart);
        figure.dataset.marks = drawMarks(u, lines);
        drawNotes(u, lines);
      }],
    },
  });

  // tip says what the point at the cursor is; the arrow keys go from point to point.
  const tip = (u, chart, lines, box) => {
    const note = make(u.over, "div", "tip"), ring = make(u.over, "div", "ring");
    const name = make(note, "b", ""), words = make(note, "span", "");
    note.setAttribute("aria-live", "polite");
    note.hidden = ring.hidden = true;
    const say = (found) => {
      note.hidden = ring.hidden = !found;
      if (!found) return;
      name.textContent = lines.length > 1 ? found.line.name : "";
      words.textContent = text(chart, found);
      const room = u.over.clientWidth;
      note.style.left = Math.max(0, Math.min(found.x + 12, room - note.offsetWidth)) + "px";
      note.style.top = (found.y > note.offsetHeight + 16 ? found.y - note.offsetHeight - 12 : found.y + 14) + "px";
      ring.style.left = found.x + "px";
      ring.style.top = found.y + "px";
    };
    u.hooks.setCursor = [() => say(nearest(u, lines))];
    let at = -1;
    box.addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (event.key === "Escape") say(null);
      if (!step) return;
      event.preventDefault();
      const points = places(u, lines);
      if (points.length === 0) return;
      at = Math.min(Math.max(at + step * Math.ceil(points.length / 500), 0), points.length - 1);
      const {line, i} = points[at];
      say({line, i, x: u.valToPos(line.x[i], "x"), y: u.valToPos(line.y[i], "y")});
    });
  };

  // places are all points that are seen, from left to right.
  const places = (u, lines) => {
    const marked = lines.some((l) => l.shape);
    return lines.flatMap((line, k) => u.series[k + 1].show && (line.shape || !marked)
      ? Array.from(line.x, (_, i) => ({line, i})).filter(({i}) => line.y[i] !== null) : [])
      .sort((a, b) => a.line.x[a.i] - b.line.x[b.i]);
  };

  // legend hides and shows lines: its entries become buttons.
  const legend = (u, figure, lines) => figure.querySelectorAll(".legend li").forEach((entry, group) => {
    const button = document.createElement("button"), shown = () => button.getAttribute("aria-pressed") === "true";
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(...entry.childNodes);
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(!shown()));
      lines.forEach((line, k) => line.group === group && u.setSeries(k + 1, {show: shown()}));
    });
    entry.append(button);
  });

  // rows takes the native titles of marks, which come late and not at all by touch.
  const rows = () => {
    const note = make(document.body, "div", "tip loose");
    note.hidden = true;
    for (const title of document.querySelectorAll("svg.plot g > title, svg.plot circle > title")) {
      title.parentNode.dataset.tip = title.textContent;
      title.remove();
    }
    document.addEventListener("pointerover", (event) => {
      const from = event.target.closest?.("[data-tip]");
      note.hidden = !from;
      if (!from) return;
      note.textContent = from.dataset.tip;
      const {clientWidth} = document.documentElement;
      note.style.left = Math.max(4, Math.min(event.clientX + 12, clientWidth - note.offsetWidth - 4)) + "px";
      note.style.top = event.clientY + (event.clientY > note.offsetHeight + 24 ? -note.offsetHeight - 12 : 18) + "px";
    });
    document.addEventListener("scroll", () => { note.hidden = true; }, {passive: true});
  };

  page.charts.forEach(start);
  rows();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => live.forEach((u) => u.redraw()));
})();
