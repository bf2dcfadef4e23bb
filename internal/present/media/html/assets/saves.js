"use strict";

// Buttons below each drawing that save it as SVG, and its figures as CSV.
(() => {
  const {page, make} = window.plimsoll;
  // Of a drawing's style these stand in a sheet of the page, which a file does not have.
  const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "vector-effect", "paint-order", "font-size", "font-weight", "font-family", "text-anchor", "overflow"];

  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  const svgOf = (figure) => {
    const from = figure.querySelector("svg.drawn, svg.plot"), hidden = getComputedStyle(from).display === "none";
    const out = from.cloneNode(true), copies = out.querySelectorAll("*");
    if (hidden) from.style.setProperty("display", "block", "important");
    [...from.querySelectorAll("*")].forEach((e, i) => {
      const style = getComputedStyle(e);
      for (const k of kept) copies[i].setAttribute(k, style.getPropertyValue(k));
    });
    const width = Math.round(from.getBoundingClientRect().width);
    if (hidden) from.removeAttribute("style");
    out.setAttribute("width", width);
    const body = getComputedStyle(document.body), ground = document.createElementNS(out.namespaceURI, "rect");
    for (const [k, v] of Object.entries({width: "100%", height: "100%", fill: body.backgroundColor})) ground.setAttribute(k, v);
    out.prepend(ground);
    out.setAttribute("font-family", body.fontFamily);
    return new XMLSerializer().serializeToString(out);
  };

  // A field that a spreadsheet would take for a formula is text.
  const field = (v) => {
    let text = v === null || v === undefined ? "" : String(v);
    if (typeof v === "string" && /^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const csv = (rows) => rows.map((row) => row.map(field).join(",") + "\r\n").join("");
  const named = (axis) => [axis.name, axis.unit].filter(Boolean).join(", ");

  const placeOf = (chart, l, i) => l.bar ? chart.x.ticks[Math.round(l.x[i])].text : l.x ? l.x[i] : i * l.step;
  const chartRows = (chart) => [["series", named(chart.x), named(chart.y), "lo", "hi", "text"],
    ...chart.lines.flatMap((l) => l.y.map((y, i) => [l.name, placeOf(chart, l, i), y, l.lo?.[i], l.hi?.[i], l.tips?.[i]]))];
  const plotRows = (plot) => [["label", plot.axis, "lo", "hi", "text", "runs"],
    ...plot.rows.map((r) => [r.label, r.estimate, r.lo, r.hi, r.text, r.runs.join(" ")])];

  const offer = (figure, id, rows) => {
    const bar = make(figure, "p", "saves");
    const button = (text, label, run) => Object.assign(make(bar, "button", ""), {type: "button", textContent: text, title: label, onclick: run});
    button("SVG", "save the drawing", () => save(id + ".svg", "image/svg+xml", svgOf(figure)));
    if (rows) button("CSV", "save its figures", () => save(id + ".csv", "text/csv", csv(rows())));
  };

  for (const chart of page.charts) offer(document.getElementById(chart.id), chart.id, () => chartRows(chart));
  for (const plot of page.plots) offer(document.querySelector(`[data-plot="${CSS.escape(plot.id)}"]`), plot.id, () => plotRows(plot));
  for (const graph of page.flames?.graphs ?? []) offer(document.getElementById(graph.id), graph.id, null);
})();
