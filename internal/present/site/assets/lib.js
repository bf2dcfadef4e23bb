// What the explorer's views share: elements, figures, requests, and the state in the URL.

import {operations} from "./operations.js";

export const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
};

export const draw = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};

// Controls and marks of direction in a name would change what stands beside it.
export const clean = (text) => String(text ?? "").replace(/\s*\n\s*(hint: )?/g, "; ").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD");

const digits = (v) => {
  const size = Math.abs(v);
  if (size >= 999.5) return v.toFixed(0);
  return v.toPrecision(3);
};

// unitOf returns a unit of sessions as users of the workload write it, by the rule of the terminal: "requests/s", "tps".
export const unitOf = (workload, unit) => {
  const name = Object.hasOwn(operations, workload) ? operations[workload] : "", rest = /^op($|\/.*)/.exec(unit ?? "")?.[1];
  if (!name || workload === "exec" || rest === undefined) return unit; // a command's own operations are no runs
  const rate = {transaction: "tps", "I/O": "IOPS"}[name];
  if (rate && /^\/s($|\/)/.test(rest)) return rate + rest.slice(2);
  return name === "I/O" ? unit : `${name}s${rest}`;
};

// figure returns a number in its unit, by the rules of the terminal but for whole numbers of KiB.
export const figure = (v, unit = "") => {
  if (v === null || v === undefined || !Number.isFinite(v)) return "?";
  if (v === 0) return `0 ${unit}`.trim();
  if (unit === "%") return `${v.toFixed(1)}%`;
  const bytes = unit === "B" || unit.startsWith("B/"), rate = /^(tps|IOPS)/.test(unit) || unit.includes("/") && !unit.startsWith("$");
  const steps = unit === "s" ? [[1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]] : bytes || rate ? [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]] : [[1, ""]];
  // 999.6 is shown as 1000, and so belongs to the next step.
  const [by, prefix] = steps.find(([step]) => Math.abs(v) >= step * .9995) ?? steps.at(-1);
  const number = digits(v / by);
  return prefix && !bytes && unit !== "s" ? `${number}${prefix} ${unit}` : `${number} ${prefix}${unit}`.trim();
};

// sure returns the half-width of an interval in per cent of the estimate; the interval itself if it is wide.
export const sure = (e, unit) => {
  if (e.lo === null || e.lo === undefined) return e.at_least ? "at least" : "";
  if (!(e.lo > 0) || e.hi / e.lo > 2) return `${figure(e.lo, unit)} to ${figure(e.hi, unit)}`;
  const half = 100 * Math.max(e.hi / e.value - 1, 1 - e.lo / e.value);
  return `±${half < 10 ? half.toFixed(1) : half.toFixed(0)}%`;
};

export const change = (ratio) => {
  if (ratio === null || ratio === undefined) return "n/a";
  const percent = 100 * (ratio - 1);
  const text = Math.abs(percent).toFixed(1);
  return `${text === "0.0" ? "" : percent < 0 ? "\u2212" : "+"}${text}%`;
};

export const date = (text) => text ? text.slice(0, 16).replace("T", " ") : "";

// get reads a document; its error has the server's words.
export const get = async (path, query, signal) => {
  const answer = await fetch(`${path}?${query}`, {signal, headers: {Accept: "application/json"}});
  if (!answer.ok) throw new Error((await answer.text()).trim() || `status ${answer.status}`);
  return answer.json();
};

export const queryNow = () => new URLSearchParams(location.search);

// put writes a state to the URL: as a step for the back button, or in the place of the last.
export const put = (query, step) => {
  const text = query.toString(), to = location.pathname + (text ? `?${text}` : "");
  if (to !== location.pathname + location.search) history[step ? "pushState" : "replaceState"](null, "", to);
};

export const later = (wait, f) => {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), wait);
  };
};

// roles mends those of a table of Tabulator: a grid holds groups of rows, of which the one that scrolls takes the focus.
export const roles = (grid) => {
  grid.removeAttribute("aria-owns");
  grid.querySelector(".tabulator-tableholder").setAttribute("role", "rowgroup");
  grid.querySelector(".tabulator-table").setAttribute("role", "presentation");
};
