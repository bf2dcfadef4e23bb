"use strict";

// Flame graphs: a frame is as wide as the time that it and what it calls take, below the frame that called it.
// Choose one to enlarge it, write a name to find it.
(() => {
  const {page, make, onResize, ink, font} = window.plimsoll;
  const row = 17, live = [], data = page.flames ?? {graphs: []};

  // framesOf gives the numbers of a graph their places, from 0 to 1, and their callers.
  const framesOf = ({frames: numbers, per}) => {
    const out = [], path = [], diff = per.length > 1, stride = 4 + per.length;
    for (let i = 0; i < numbers.length; i += stride) {
      const [name, depth, tone, category, ...n] = numbers.slice(i, i + stride);
      const [func, module] = data.names[name].split("\t"), caller = path[depth - 1] ?? null;
      const width = diff ? n[0] * per[0] + n[1] * per[1] : n[0];
      const frame = {func, module, depth, tone, category: data.categories[category], n, width, caller, x: caller ? caller.next : 0};
      frame.next = frame.x;
      if (caller) caller.next += width;
      path[depth] = frame;
      out.push(frame);
    }
    const whole = out[0].width;
    for (const f of out) {
      f.x /= whole;
      f.width /= whole;
    }
    return out;
  };

  const start = (graph) => {
    const figure = document.getElementById(graph.id), drawing = figure.querySelector("svg.drawn");
    const bar = make(figure, "div", "finder"), box = make(figure, "div", "live"), canvas = make(box, "canvas", "");
    const view = {graph, figure, box, canvas, frames: framesOf(graph), pattern: null, shown: []};
    view.root = view.focus = view.frames[0];
    drawing.after(bar, box);
    figure.classList.add("answers");
    box.tabIndex = 0;
    box.setAttribute("role", "img");
    box.setAttribute("aria-labelledby", drawing.getAttribute("aria-labelledby"));
    finder(view, bar, drawing);
    pointer(view);
    onResize(box, () => requestAnimationFrame(() => draw(view)));
    figure.flame = view;
    live.push(view);
    draw(view);
  };

  const paint = (view, f) => {
    const matched = view.pattern?.(f.func);
    if (matched) return ["match", 1];
    if (view.graph.sides.length < 2) return ["k" + f.tone, 1];
    return f.tone > 0 ? ["more", f.tone / 10] : ["less", -f.tone / 10];
  };

  // place is where a frame is seen, in CSS pixels; null where it is not.
  const place = ({focus}, room, f) => {
    const from = (f.x - focus.x) / focus.width * room, to = from + f.width / focus.width * room;
    const left = Math.max(from, 0), width = Math.min(to, room) - left;
    return width < .4 || f.depth < focus.depth && width < room - 1 ? null : {f, left, width, top: f.depth * row};
  };

  const draw = (view) => {
    const {canvas, box, figure} = view, ratio = devicePixelRatio, ctx = canvas.getContext("2d"), room = box.clientWidth;
    view.shown = view.frames.map((f) => place(view, room, f)).filter(Boolean);
    const height = view.shown.reduce((most, p) => p.width >= 1 ? Math.max(most, p.top + row) : most, row);
    canvas.width = room * ratio;
    canvas.height = height * ratio;
    canvas.style.height = height + "px";
    ctx.scale(ratio, ratio);
    ctx.font = font;
    for (const p of view.shown) {
      const [colour, share] = paint(view, p.f), wide = Math.max(p.width - (p.width > 3 ? 1 : 0), .5);
      ctx.globalAlpha = p.f.depth < view.focus.depth ? .45 : 1;
      ctx.fillStyle = ink("k0");
      ctx.fillRect(p.left, p.top, wide, row - 1);
      ctx.globalAlpha *= share;
      ctx.fillStyle = ink(colour);
      ctx.fillRect(p.left, p.top, wide, row - 1);
      ctx.globalAlpha = 1;
      if (p.width > 28) write(ctx, p);
    }
    figure.dataset.frames = view.shown.length;
  };

  // short is a function without its package.
  const short = ({func, module}) => module === "[java]" ? func.split(".").slice(-2).join(".") : func.slice(func.lastIndexOf("/") + 1);

  const write = (ctx, p) => {
    const room = p.width - 7, text = short(p.f), wide = ctx.measureText(text).width;
    const fits = wide <= room ? text : text.slice(0, Math.floor(text.length * room / wide) - 1) + "…";
    ctx.fillStyle = ink("text");
    if (fits.length > 2) ctx.fillText(fits, p.left + 3, p.top + 12.5);
  };

  // zoom makes a frame as wide as the page.
  const zoom = (view, f) => {
    view.focus = f;
    view.whole.hidden = f === view.root;
    draw(view);
  };

  // finder is the search, which says how much of all what it finds takes, and the way back.
  const finder = (view, bar, drawing) => {
    const field = make(bar, "input", ""), found = make(bar, "output", ""), whole = view.whole = make(bar, "button", "whole");
    Object.assign(whole, {type: "button", textContent: "whole graph", hidden: true, onclick: () => zoom(view, view.root)});
    Object.assign(field, {type: "search", placeholder: "find functions", spellcheck: false});
    field.setAttribute("aria-label", "find functions in " + drawing.querySelector("title").textContent);
    field.addEventListener("input", () => {
      view.pattern = matcher(field.value);
      found.textContent = view.pattern ? foundText(view) : "";
      draw(view);
    });
  };

  // matcher tells whether a name is sought: by a regular expression, or by the letters of what is none.
  const matcher = (text) => {
    if (!text) return null;
    try {
      const pattern = new RegExp(text, "i");
      return (name) => pattern.test(name);
    } catch {
      return (name) => name.toLowerCase().includes(text.toLowerCase());
    }
  };

  // foundText counts what matches once, however often it calls itself.
  const foundText = ({frames, graph, pattern, root}) => {
    const inside = new Set(), sum = graph.per.map(() => 0);
    for (const f of frames) {
      if (inside.has(f.caller)) inside.add(f);
      else if (pattern(f.func)) {
        inside.add(f);
        f.n.forEach((n, side) => { sum[side] += n; });
      }
    }
    return inside.size === 0 ? "no match" : "matched: " + sum.map((n, side) => amount(graph, root, n, side)).join("; ");
  };

  const time = (s) => {
    const [unit, factor] = [["s", 1], ["ms", 1e-3], ["µs", 1e-6]].find(([, f]) => s >= f) ?? ["ns", 1e-9];
    return Number((s / factor).toPrecision(3)) + " " + unit;
  };

  const percent = (share) => (100 * share).toFixed(1) + "%";

  // amount is what samples of one side stand for.
  const amount = (graph, root, n, side) => {
    const per = graph.per[side];
    if (graph.sides.length > 1) return `${graph.sides[side]} ${time(n * per)}, ${percent(n / root.n[side])}`;
    return percent(n / root.n[0]) + (per > 0 ? `, ${time(n * per)} of ${graph.what} an operation` : "");
  };

  const tipText = ({graph, root}, f) => {
    const lines = [[f.module, graph.sides.length > 1 ? "" : f.category].filter(Boolean).join(", ")];
    f.n.forEach((n, side) => lines.push(amount(graph, root, n, side)));
    if (graph.sides.length > 1) {
      const [a, b] = f.n.map((n, side) => n * graph.per[side]);
      const change = (b < a ? "−" : "+") + time(Math.abs(b - a)) + (a > 0 && b > 0 ? `, ${b < a ? "−" : "+"}${percent(Math.abs(b / a - 1))}` : "");
      lines.push(f.tone === 0 ? "no difference beyond the noise of sampling" : change);
    }
    return lines.filter(Boolean).join("\n");
  };

  // pointer says what the frame at the pointer is and enlarges the one that is chosen; the arrow keys go from frame to frame.
  const pointer = (view) => {
    const {canvas, box} = view, note = make(box, "div", "tip"), ring = make(box, "div", "outline");
    const name = make(note, "b", ""), words = make(note, "span", "");
    note.setAttribute("aria-live", "polite");
    const say = (p) => {
      view.at = p?.f ?? null;
      note.hidden = ring.hidden = !p;
      if (!p) return;
      name.textContent = p.f.func;
      words.textContent = tipText(view, p.f);
      note.style.left = Math.max(0, Math.min(p.x ?? p.left, box.clientWidth - note.offsetWidth)) + "px";
      note.style.top = p.top + row + 4 + "px";
      Object.assign(ring.style, {left: p.left + "px", top: p.top + "px", width: p.width + "px", height: row + "px"});
    };
    const under = (event) => {
      const {left, top} = canvas.getBoundingClientRect(), x = event.clientX - left, y = event.clientY - top;
      const p = view.shown.find((s) => y >= s.top && y < s.top + row && x >= s.left && x < s.left + s.width);
      return p && {...p, x: x + 12};
    };
    const enlarge = (f) => {
      zoom(view, f);
      say(null);
    };
    say(null);
    canvas.addEventListener("pointermove", (event) => say(under(event)));
    canvas.addEventListener("pointerleave", () => say(null));
    canvas.addEventListener("click", (event) => {
      const p = under(event);
      if (p) enlarge(p.f);
    });
    box.addEventListener("keydown", (event) => {
      const from = view.at ?? view.focus;
      if (event.key === "Escape") enlarge(view.root);
      if (event.key === "Enter") enlarge(from);
      const to = view.at === null && event.key.startsWith("Arrow") ? from : step(view, from, event.key);
      if (!to) return;
      event.preventDefault();
      say(view.shown.find((p) => p.f === to));
    });
  };

  // step is the frame beside another one, of those that are seen.
  const step = ({shown}, from, key) => {
    const beside = shown.map((p) => p.f).filter((f) => f.caller === from.caller), at = beside.indexOf(from);
    switch (key) {
    case "ArrowUp": return from.caller;
    case "ArrowDown": return shown.map((p) => p.f).filter((f) => f.caller === from).sort((a, b) => b.width - a.width)[0];
    case "ArrowLeft": return beside[at - 1];
    case "ArrowRight": return beside[at + 1];
    }
    return null;
  };

  data.graphs.forEach(start);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => live.forEach(draw));
})();
