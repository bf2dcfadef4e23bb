// The sides of a comparison: the answer, the fleets, the verdicts, and a panel for what they depend on.
import {make, draw, clean, figure, sure, change, get, unitOf, put, later, queryNow} from "./lib.js";

const place = document.getElementById("compareview");
const asked = ["by", "baseline", "demand", "failures", "headroom", "slo"];
let files = [], request = null, doc = null, say = () => {}, parts = null, shownFor = "";

const input = (name, label, attributes = {}, hint = "") => {
  const box = make("input", {id: `ask-${name}`, name, autocomplete: "off", spellcheck: "false", ...attributes});
  return make("label", {title: hint}, make("span", {}, label), box);
};

// build makes the parts of the view, whose inputs outlive the answers.
const build = () => {
  parts = {
    head: make("div", {class: "head"}),
    answer: make("div", {class: "answer", id: "answer"}),
    panel: make("form", {class: "panel", id: "panel", "aria-label": "what the verdicts depend on"}),
    wrong: make("p", {class: "problem", id: "wrong", role: "alert", hidden: true}),
    fleets: make("section", {id: "fleets"}),
    verdicts: make("section", {id: "verdicts"}),
    results: make("section", {id: "results"}),
    notes: make("section", {id: "notes"}),
  };
  parts.prices = make("div", {class: "prices"});
  parts.panel.append(
    make("label", {}, make("span", {}, "Compare by"), make("select", {id: "ask-by", name: "by"})),
    make("label", {}, make("span", {}, "Baseline"), make("select", {id: "ask-baseline", name: "baseline"})),
    input("demand", "Demand", {placeholder: "none"}, "operations/s of a fleet, such as 50k or 5e6"),
    input("failures", "Spare machines", {inputmode: "numeric", placeholder: "1"}, "machines that may fail without overloading the others"),
    input("headroom", "Load at most", {inputmode: "decimal", placeholder: "0.85"}, "fraction of its load line up to which to load a machine"),
    input("slo", "Objective", {placeholder: "p99=20ms"}, "latency by which load lines are judged"),
    parts.prices);
  parts.panel.addEventListener("submit", (e) => e.preventDefault());
  parts.panel.addEventListener("input", later(20, () => {
    put(queryOf(), false);
    load();
  }));
  place.replaceChildren(parts.head, parts.panel, parts.wrong, parts.answer, parts.fleets, parts.verdicts, parts.results, parts.notes);
};

// queryOf returns the query that the panel stands for.
const queryOf = () => {
  const now = queryNow(), out = new URLSearchParams(files.map((f) => ["file", f]));
  for (const name of asked) {
    const value = parts.panel.elements[name].value.trim();
    if (value) out.set(name, value);
  }
  for (const box of parts.prices.querySelectorAll("input")) if (box.value.trim()) out.append("price", `${box.dataset.of}=${box.value.trim()}`);
  if (now.get("all")) out.set("all", "1");
  return out;
};

const load = async () => {
  request?.abort();
  const mine = request = new AbortController(), query = queryNow();
  query.delete("all");
  place.setAttribute("aria-busy", "true");
  try {
    doc = await get("/api/compare", query, mine.signal);
    wrong("");
    render();
  } catch (e) {
    if (e.name === "AbortError") return;
    wrong(e.message);
  }
  if (request === mine) place.removeAttribute("aria-busy");
};

const wrong = (text) => {
  parts.wrong.textContent = clean(text.replace(/\nhint: /, ": "));
  parts.wrong.hidden = !text;
};

const render = () => {
  panel();
  head();
  parts.answer.replaceChildren(...doc.answer.map((line, i) => make("p", {class: i ? "" : "first"}, clean(line))));
  fleets();
  verdicts();
  results();
  const said = [...doc.problems, ...doc.compared.pairs.flatMap((p) => p.notes.map((n) => n.text)), ...doc.shown.notes.map((n) => n.text)];
  parts.notes.replaceChildren(...(said.length ? [make("h2", {}, "Notes"), make("ul", {class: "plainlist"}, ...[...new Set(said)].map((t) => make("li", {}, clean(t))))] : []));
  place.dataset.ready = String(Number(place.dataset.ready ?? 0) + 1);
};

const head = () => {
  const title = doc.sides.length > 1 ? `${doc.sides.slice(1).map(clean).join(", ")} against ${clean(doc.sides[0])}` : files.map((f) => clean(f.replace(/\.plimsoll\.jsonl$/, ""))).join(", ");
  document.title = `Plimsoll: ${title}`;
  const report = `/report?${new URLSearchParams(files.map((f) => ["file", f]))}`;
  const links = [make("a", {href: report}, "Full report")];
  if (doc.shown.findings.some((f) => f.kind.startsWith("profile"))) links.push(make("a", {href: `${report}#flame-1-cpu`}, "Flame graphs"));
  parts.head.replaceChildren(make("h1", {}, title), make("p", {class: "soft files"}, ...files.map((f) => make("code", {}, clean(f)))), make("p", {class: "links"}, ...links));
};

// panel offers what the answer has: axes, sides and machines. What was typed stays.
const panel = () => {
  const query = queryNow();
  const options = (name, values, first) => {
    const select = parts.panel.elements[name];
    select.replaceChildren(make("option", {value: ""}, first), ...values.map((v) => make("option", {value: v}, clean(v.replace(/^(factor|label)\./, "")))));
    select.value = query.get(name) ?? "";
    select.parentElement.hidden = values.length < 2;
  };
  options("by", doc.axes, `${clean(doc.by)} (default)`);
  options("baseline", doc.sides, "the first");
  for (const name of asked.slice(2)) {
    const box = parts.panel.elements[name];
    if (document.activeElement !== box) box.value = query.get(name) ?? "";
  }
  const given = new Map(query.getAll("price").map((p) => [p.slice(0, p.lastIndexOf("=")), p.slice(p.lastIndexOf("=") + 1)]));
  const names = machines();
  if (parts.prices.dataset.of !== names.join("\n")) {
    parts.prices.dataset.of = names.join("\n");
    parts.prices.replaceChildren(...names.slice(0, 12).map((name) => {
      const box = make("input", {inputmode: "decimal", placeholder: "unknown", autocomplete: "off", "aria-label": `price of ${clean(name)} in dollars per hour`, value: given.get(name) ?? ""});
      box.dataset.of = name;
      return make("label", {title: "dollars per hour"}, make("span", {}, `$/h ${clean(name)}`), box);
    }));
  }
  const known = prices();
  for (const box of parts.prices.querySelectorAll("input")) {
    if (!given.has(box.dataset.of)) box.placeholder = known.has(box.dataset.of) ? String(known.get(box.dataset.of)) : "unknown";
  }
};

const machines = () => {
  const out = new Set(doc.by === "machine" ? doc.sides : []);
  for (const c of doc.shown.cells) {
    const session = doc.shown.sessions?.[c.machine];
    out.add(session ? session.machine : c.machine);
  }
  return [...out];
};

// prices returns what the answer rests on.
const prices = () => {
  const out = new Map();
  for (const p of doc.compared.pairs) {
    for (const [name, b] of [[p.a, p.basis_a], [p.b, p.basis_b]]) if (b?.free || b?.usd_per_hour) out.set(name, b.usd_per_hour ?? 0);
  }
  return out;
};

// fleets shows what a demand needs of each machine, and which to take.
const fleets = () => {
  const found = (of) => of.findings.filter((f) => f.kind === "recommendation" && f.body).map((f) => f.body);
  const all = found(doc.compared).length ? found(doc.compared) : found(doc.shown);
  parts.fleets.replaceChildren(...all.flatMap((r) => {
    const saves = r.usd_per_month_saved > 0 ? make("span", {class: "good"}, `saves $${Math.trunc(r.usd_per_month_saved).toLocaleString("en")} a month against ${clean(r.over)}`) : null;
    return [make("h2", {}, `Fleet for ${figure(r.demand, unitOf(r.workload, r.unit))}`, all.length > 1 ? ` of ${clean(r.workload)}` : ""),
      make("div", {class: "cards"}, ...r.choices.map((c) => card(c, r, r.take.includes(c.machine) ? saves : null)))];
  }));
};

const card = (c, r, saves) => {
  const need = c.need, unit = unitOf(r.workload, need.unit), spares = c.spares ?? r.failures;
  const limit = c.by === "peak throughput" ? `peak ${figure(need.line, unit)}: latency at that load is not known` : `safe load ${figure(need.line, unit)} at ${c.statistic} \u2264 ${figure(c.limit, "s")}`;
  return make("div", {class: `card${r.take.includes(c.machine) ? " best" : ""}`}, make("h3", {}, clean(c.machine)),
    need.machines === null
      ? make("p", {class: "warn"}, clean(need.why?.text ?? "no fleet meets this demand"))
      : make("p", {class: "big"}, `${need.machines} machine${need.machines === 1 ? "" : "s"}`, make("small", {}, ` ${need.machines - spares} + ${spares} spare`)),
    need.usd_per_month !== null && need.usd_per_month !== undefined ? make("p", {}, make("b", {}, `$${Math.round(need.usd_per_month).toLocaleString("en")}`), " a month ", saves) : need.machines === null ? null : make("p", {class: "soft"}, "no price: give one above"),
    need.machines === null ? null : make("p", {class: "soft"}, `each at ${percent(need.share)} of its limit, ${percent(need.share_after)} with ${r.failures} down; alert above ${percent(need.alarm)}`),
    need.line === null ? null : make("p", {class: "soft"}, limit));
};

const percent = (share) => share === null || share === undefined ? "?" : `${(100 * share).toFixed(0)}%`;

// per names what a figure is by.
const per = (v) => ({machine: "", vcpu: " per vCPU", core: " per core", dollar: " per dollar", watt: " per watt"})[v.per] ?? ` per ${v.per}`;

const verdicts = () => {
  const all = queryNow().get("all") === "1", out = [];
  for (const p of doc.compared.pairs) {
    const list = p.verdicts.filter((v) => all || v.primary && (v.per === "machine" || v.per === "dollar" && v.verdict));
    if (!list.length) continue;
    const span = Math.min(2, Math.max(.1, ...list.flatMap((v) => [v.lo, v.hi]).filter((v) => v > 0).map((v) => Math.abs(Math.log(v)))));
    out.push(make("h3", {}, clean(p.b), make("span", {class: "soft"}, " against "), clean(p.a), p.machine ? make("span", {class: "soft"}, ` on ${clean(p.machine)}`) : null),
      make("div", {class: "scroll"}, make("table", {class: "stack"},
        make("thead", {}, make("tr", {}, ...["Cell", "Metric", clean(p.a), clean(p.b), "Change", "", "Verdict"].map((h, i) => make("th", {class: [2, 3, 4].includes(i) ? "num" : ""}, h)))),
        make("tbody", {}, ...list.map((v) => stacked(["", "", clean(p.a), clean(p.b), "change"], row(v, span)))))));
  }
  if (out.length) {
    const box = make("input", {type: "checkbox", id: "all"});
    box.checked = all;
    box.addEventListener("change", () => {
      const now = queryNow();
      if (box.checked) now.set("all", "1");
      else now.delete("all");
      put(now, true);
      verdicts();
    });
    out.unshift(make("h2", {}, "Verdicts"), make("label", {class: "check"}, box, "all metrics"));
  }
  parts.verdicts.replaceChildren(...out);
};

// stacked names the fields of a row, for windows that show them one below the other.
const stacked = (names, row) => {
  [...row.cells].forEach((td, i) => {
    if (names[i]) td.dataset.name = names[i];
  });
  return row;
};

const row = (v, span) => {
  const unit = unitOf(v.workload, v.unit);
  const good = v.better ? (v.better === "b" ? "good" : "bad") : "";
  return make("tr", {}, make("td", {class: "txt"}, cellOf(v)), make("td", {}, clean(v.metric) + per(v)),
    make("td", {class: "num"}, figure(v.a, unit)), make("td", {class: "num"}, figure(v.b, unit)),
    make("td", {class: `num ${good}`}, make("b", {}, v.ratio ? change(v.ratio) : "?"), make("span", {class: "soft"}, v.lo ? ` ${change(v.lo)} to ${change(v.hi)}` : "")),
    make("td", {}, forest(v, span, good)),
    make("td", {}, make("span", {class: `tag ${v.verdict ? v.verdict.toLowerCase() : "none"} ${good}`, title: clean(v.notes.map((n) => n.text).join("\n"))}, v.verdict ? v.verdict.toLowerCase() : "no verdict")));
};

const cellOf = (v) => clean([v.workload, v.load, ...Object.entries(v.params).filter(([k, x]) => x && varies(v.workload, k)).map(([k, x]) => `${k}=${x}`)].join(" · "));

// varies reports whether a parameter of a workload has several values here.
const varies = (workload, name) => new Set(doc.shown.cells.filter((c) => c.workload === workload).map((c) => c.params[name])).size > 1;

// forest draws an interval about no change, on a scale that all rows of a pair share.
const forest = (v, span, good) => {
  const width = 150, height = 18, x = (r) => width / 2 + Math.max(-1, Math.min(1, Math.log(r) / span)) * (width / 2 - 4);
  const box = draw("svg", {width, height, viewBox: `0 0 ${width} ${height}`, class: `forest ${good}`, role: "img", "aria-label": v.ratio ? change(v.ratio) : "unknown"});
  box.append(draw("line", {x1: width / 2, x2: width / 2, y1: 0, y2: height, class: "zero"}));
  if (v.lo > 0) box.append(draw("rect", {x: x(v.lo), y: 5, width: Math.max(1, x(v.hi) - x(v.lo)), height: 8, class: "interval"}));
  if (v.ratio > 0) box.append(draw("line", {x1: x(v.ratio), x2: x(v.ratio), y1: 3, y2: 15, class: "estimate"}));
  return box;
};

const most = 400; // rows of results: the report has all
const results = () => {
  const all = queryNow().get("all") === "1", cells = doc.shown.cells.slice(0, most);
  const line = (c, m) => make("tr", {}, make("td", {}, clean(c.machine)), make("td", {class: "txt"}, make("a", {href: `/history?${new URLSearchParams({cell: c.id})}`}, cellOf(c))), make("td", {}, clean(m.name)),
    make("td", {class: "num"}, make("b", {}, m.bound ? "≥ " : "", figure(m.value, unitOf(c.workload, m.unit)))), make("td", {class: "num soft"}, sure(m, unitOf(c.workload, m.unit))), make("td", {class: "num"}, String(m.n)),
    make("td", {class: "bad"}, m.failed ? `${m.failed} failed` : ""));
  const lines = cells.flatMap((c) => c.metrics.filter((m) => all || m.primary || !m.name).map((m) => line(c, m)));
  parts.results.replaceChildren(make("h2", {}, "Results"), make("div", {class: "scroll"}, make("table", {class: "stack"},
    make("thead", {}, make("tr", {}, ...["Machine", "Cell", "Metric", "Estimate", "95%", "Runs", ""].map((h, i) => make("th", {class: [3, 4, 5].includes(i) ? "num" : ""}, h)))),
    make("tbody", {}, ...lines.map((l) => stacked(["", "", "", "", "95%", "runs"], l))))), ...(doc.shown.cells.length > most ? [make("p", {class: "soft"}, `${doc.shown.cells.length - most} more cells stand in the report`)] : []));
};

// changed is told the files whose rows changed: a running session is read anew.
export const changed = (names) => {
  if (!place.hidden && doc && files.some((f) => names.has(f))) load();
};

export const show = (query, tell) => {
  say = tell;
  say("");
  const key = query.getAll("file").join("\n");
  if (!parts || key !== shownFor) {
    shownFor = key;
    files = query.getAll("file");
    doc = null;
    build();
    parts.head.append(make("p", {class: "soft"}, "reading …"));
  }
  load();
};
