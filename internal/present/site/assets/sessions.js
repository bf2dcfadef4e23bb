// The table of all sessions: search, filters, groups, picked sides.
import {TabulatorFull as Tabulator} from "./tabulator.js";
import {roles, make, draw, clean, figure, sure, change, unitOf, date, put, later, queryNow} from "./lib.js";

const at = (id) => document.getElementById(id);
const fields = ["type", "workload", "plan", "state"];
const rows = new Map(); // by file, a list of rows
const picked = new Set(); // files
let table, built = false, pendingRows = false, filters = {}, words = [];

const cellText = (field, css = "") => (cell) => make("span", {class: css, title: clean(cell.getValue())}, clean(cell.getValue()));

const spark = (values) => {
  const width = 84, height = 18, most = Math.max(...values), least = Math.min(...values);
  // Noise of a per mille is not to look like a cliff: the height stands for at least a tenth of the value.
  const span = Math.max(most - least, Math.abs(most) * .1) || 1, middle = (most + least) / 2;
  const y = (v) => (height / 2 - (v - middle) / span * (height - 4)).toFixed(1);
  const x = (i) => (values.length < 2 ? width / 2 : 2 + i * (width - 4) / (values.length - 1)).toFixed(1);
  const box = draw("svg", {width, height, viewBox: `0 0 ${width} ${height}`, class: "spark", role: "img", "aria-label": `${values.length} runs`});
  if (values.length > 1 && values.length > 12) box.append(draw("polyline", {points: values.map((v, i) => `${x(i)},${y(v)}`).join(" ")}));
  else values.forEach((v, i) => box.append(draw("circle", {cx: x(i), cy: y(v), r: 1.8})));
  return box;
};

const tick = (cell) => {
  const row = cell.getData();
  const box = make("input", {type: "checkbox", "aria-label": `pick ${clean(row.file)}`, disabled: row.state === "unreadable"});
  box.checked = picked.has(row.file);
  box.addEventListener("change", () => {
    picked[box.checked ? "add" : "delete"](row.file);
    for (const r of table.getRows("visible")) if (r.getData().file === row.file) r.reformat();
    remember(false);
    showPicked();
  });
  return box;
};

const session = (cell) => {
  const row = cell.getData(), name = clean(row.file.replace(/\.plimsoll\.jsonl$/, ""));
  if (row.state === "unreadable") return make("span", {title: clean(row.file)}, name);
  return make("a", {href: `/compare?${new URLSearchParams({file: row.file})}`, title: clean(row.file)}, name);
};

const result = (cell) => {
  const key = cell.getData().key;
  if (!key) return make("span", {class: "dim"}, cell.getData().state === "unread" ? "…" : "none");
  const unit = unitOf(key.workload, key.unit), text = sure(key, unit);
  const of = cell.getData().change;
  if (of) return make("span", {class: "figure", title: clean(`${of.title} is the baseline; ${key.metric} of ${key.title}: ${figure(key.value, unit)}`)},
    make("b", {class: {worse: "bad", better: "good"}[of.verdict] ?? ""}, clean(of.verdict)), ` ${change(of.ratio.value)}`);
  return make("span", {class: "figure", title: clean(`${key.metric} of ${key.title}, ${key.n} runs`)},
    make("b", {}, figure(key.value, unit)), make("span", {class: "soft"}, text ? ` ${text}` : ""));
};

const what = (cell) => {
  const row = cell.getData();
  if (!row.key) return make("span", {}, clean(row.workload)); // a string would be HTML
  return make("a", {href: `/history?${new URLSearchParams({cell: row.key.id})}`, title: clean(`${row.key.title}: its history`)}, clean(row.key.title));
};

const state = (cell) => {
  const row = cell.getData();
  return make("span", {class: `state ${row.state}`}, row.state);
};

const notes = (cell) => {
  const row = cell.getData(), box = make("span", {class: "marks", title: clean(row.notes.join("\n"))});
  if (row.failed) box.append(make("span", {class: "bad"}, `${row.failed} failed`));
  if (row.disturbed) box.append(make("span", {class: "warn"}, `${row.disturbed} disturbed`));
  const other = row.notes.filter((n) => !/^\d+ (failed|disturbed) run/.test(n));
  if (other.length) box.append(make("span", {class: "soft"}, clean(other.join("; "))));
  return box;
};

const byValue = (a, b, rowA, rowB) => {
  const of = (r) => r.getData().key;
  const x = of(rowA), y = of(rowB);
  if (!x || !y) return (x ? 1 : 0) - (y ? 1 : 0);
  return x.unit === y.unit ? x.value - y.value : x.unit < y.unit ? -1 : 1;
};

const columns = [
  {title: "", field: "tick", formatter: tick, width: 40, headerSort: false, resizable: false, responsive: 0, cssClass: "tick"},
  {title: "Session", field: "file", formatter: session, minWidth: 130, widthGrow: 2, responsive: 0},
  {title: "Machine", field: "machine", formatter: cellText("machine"), minWidth: 110, widthGrow: 1.3, responsive: 2},
  {title: "Type", field: "type", formatter: cellText("type"), minWidth: 100, responsive: 6},
  {title: "Cell", field: "what", formatter: what, minWidth: 150, widthGrow: 2, responsive: 4},
  {title: "Result", field: "value", formatter: result, sorter: byValue, minWidth: 150, widthGrow: 1.2, hozAlign: "right", headerHozAlign: "right", responsive: 0},
  {title: "Runs", field: "n", formatter: (cell) => cell.getData().key ? spark(cell.getData().key.runs) : "", width: 104, responsive: 5},
  {title: "Began (UTC)", field: "began", formatter: (cell) => date(cell.getValue()), width: 138, responsive: 3},
  {title: "State", field: "state", formatter: state, width: 100, responsive: 2},
  {title: "Plan", field: "plan", formatter: cellText("plan"), minWidth: 80, responsive: 8},
  {title: "Notes", field: "noted", formatter: notes, minWidth: 110, widthGrow: 1.2, responsive: 7},
];

// heading is that of a group: a button, so that keys fold it too.
const heading = (value, count, _, group) => {
  const button = make("button", {type: "button", class: "fold", "data-of": value, "aria-expanded": String(group.isVisible())}, make("b", {}, clean(value || "unknown")), make("span", {class: "soft"}, `${count}`));
  const cell = make("span", {role: "gridcell"}, button);
  queueMicrotask(() => cell.parentNode?.setAttribute("role", "row"));
  return cell;
};

// start makes the table at the first look, when its place has a size.
const start = (query) => {
  const [field, dir] = (query.get("sort") ?? "began:desc").split(":");
  table = new Tabulator(at("table"), {
    index: "id", height: "100%", layout: "fitColumns", responsiveLayout: "hide", columns, 
    placeholder: () => words.length || Object.values(filters).some((of) => of?.length) ? "No session is like that." : "There is no session in this folder, nor below it.",
    initialSort: [{column: columns.some((c) => c.field === field) ? field : "began", dir: dir === "asc" ? "asc" : "desc"}],
    groupHeader: heading,
    groupToggleElement: "header", columnHeaderSortMulti: false, headerSortElement: "<span class='arrow'></span>", resizableColumnFit: true,
  });
  table.on("tableBuilt", () => {
    roles(at("table"));
    built = true;
    apply(queryNow());
    fill();
  });
  table.on("dataSorted", (sorters) => {
    if (!built || location.pathname !== "/" || !sorters.length) return;
    const now = queryNow(), text = `${sorters[0].field}:${sorters[0].dir}`;
    if (text === (now.get("sort") ?? "began:desc")) return;
    now.set("sort", text);
    put(now, false);
  });
  // A group that is folded gets a new heading, which takes the focus of the old one.
  table.on("groupVisibilityChanged", (group) => {
    for (const button of at("table").querySelectorAll(".fold")) if (button.dataset.of === String(group.getKey())) button.focus();
  });
  table.on("dataFiltered", (_, left) => count(left.length));
};

const count = (n) => {
  const all = [...rows.values()].reduce((sum, list) => sum + list.length, 0);
  if (location.pathname !== "/") n = all;
  at("count").textContent = (n === all ? `${all} rows` : `${n} of ${all} rows`) + (at("count").dataset.pending > 0 ? `, ${at("count").dataset.pending} files to read` : "");
};

const matches = (row) => {
  for (const f of fields) if (filters[f] && (f === "workload" ? !row.workloads.includes(filters[f]) : row[f] !== filters[f])) return false;
  return words.every((w) => row.text.includes(w));
};

// apply shows what a query says.
const apply = (query) => {
  filters = Object.fromEntries(fields.map((f) => [f, query.get(f) ?? ""]));
  words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (document.activeElement !== at("q")) at("q").value = query.get("q") ?? "";
  at("group").value = query.get("group") ?? "";
  choices();
  picked.clear();
  for (const f of query.getAll("pick")) picked.add(f);
  showPicked();
  if (!built) return;
  table.setGroupBy(at("group").value || false);
  table.setFilter(matches);
};

// choices fills the selects with what the rows have.
const choices = () => {
  const all = [...rows.values()].flat();
  for (const f of fields) {
    const values = [...new Set(f === "workload" ? all.flatMap((r) => r.workloads) : all.map((r) => r[f]))].filter(Boolean).sort();
    if (filters[f] && !values.includes(filters[f])) values.push(filters[f]);
    const select = at(f), had = [...select.options].map((o) => o.value).join("\n");
    if (had !== ["", ...values].join("\n")) {
      select.replaceChildren(make("option", {value: ""}, "all"), ...values.map((v) => make("option", {value: v}, clean(v))));
    }
    select.value = filters[f] ?? "";
  }
};

// remember puts what is chosen into the URL.
const remember = (step) => {
  const now = queryNow();
  for (const f of [...fields, "q", "group"]) {
    if (at(f).value) now.set(f, at(f).value);
    else now.delete(f);
  }
  now.delete("pick");
  for (const f of picked) now.append("pick", f);
  put(now, step);
};

const showPicked = () => {
  const query = new URLSearchParams([...picked].map((f) => ["file", f]));
  at("picked").textContent = picked.size ? `${picked.size} session${picked.size > 1 ? "s" : ""} picked` : "Pick the sides of a comparison";
  for (const id of ["compare", "report"]) {
    if (picked.size) at(id).href = `/${id}?${query}`;
    else at(id).removeAttribute("href");
  }
  at("compare").textContent = picked.size === 1 ? "Open" : "Compare";
  at("clear").hidden = !picked.size;
};

const fill = () => {
  if (!built || location.pathname !== "/") {
    pendingRows = true;
    return;
  }
  pendingRows = false;
  choices();
  table.replaceData([...rows.values()].flat()).then(() => count(table.getDataCount("active")));
};

// take takes the rows of a document, and returns the files whose rows changed: those of which there were other rows.
export const take = (doc) => {
  const known = new Set(rows.keys());
  at("dir").textContent = clean(doc.dir);
  at("count").dataset.pending = doc.pending;
  if (doc.whole) rows.clear();
  for (const f of doc.gone) rows.delete(f);
  for (const r of doc.rows) {
    const row = {...r, id: `${r.file}\n${r.machine}`, workload: r.workloads.join(", "), what: r.key?.title ?? "", value: r.key?.value ?? null, n: r.key?.n ?? 0, noted: r.notes.length};
    row.text = [r.file, r.machine, r.type, r.plan, r.cpu, r.state, row.workload, row.what, ...r.notes, ...Object.entries(r.labels ?? {}).map(([k, v]) => `${k}=${v}`)].join("\n").toLowerCase();
    if (rows.has(r.file)) rows.get(r.file).push(row);
    else rows.set(r.file, [row]);
  }
  if (doc.whole || doc.rows.length || doc.gone.length) fill();
  else count(built ? table.getDataCount("active") : 0);
  return new Set([...doc.gone, ...doc.rows.map((r) => r.file)].filter((f) => known.has(f)));
};

export const show = (query) => {
  document.title = "Plimsoll: sessions";
  if (!table) start(query);
  else {
    apply(query);
    if (pendingRows) fill();
    else table.redraw();
  }
};

at("q").addEventListener("input", later(15, () => {
  words = at("q").value.toLowerCase().split(/\s+/).filter(Boolean);
  remember(false);
  if (built) table.setFilter(matches);
}));
for (const f of [...fields, "group"]) {
  at(f).addEventListener("change", () => {
    remember(true);
    apply(queryNow());
  });
}
at("filters").addEventListener("submit", (e) => e.preventDefault());
at("clear").addEventListener("click", () => {
  picked.clear();
  remember(false);
  showPicked();
  for (const r of table.getRows("visible")) r.reformat();
});
