"use strict";

// The page's charts, drawn from its data in place of the drawings that stand there
// for paper and for readers without scripts.
(() => {
  const style = getComputedStyle(document.documentElement);
  // A drawing asks for a colour with each mark, and the sheet answers slowly.
  const inks = new Map();
  const ink = (name) => {
    if (!inks.has(name)) inks.set(name, style.getPropertyValue("--" + name).trim());
    return inks.get(name);
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => inks.clear());
  const colour = (line) => ink("s" + line.colour);
  const font = "12px " + style.getPropertyValue("--font");
  const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3]];
  const page = JSON.parse(document.getElementById("charts").textContent);
  const paths = Object.fromEntries(Object.entries(page.shapes).map(([name, d]) => [name, new Path2D(d)]));

  const make = (parent, name, className) => {
    const e = document.createElement(name);
    e.className = className;
    parent.append(e);
    return e;
  };

  // onResize tells of each width of an element but that which it has: an observer begins with it.
  const onResize = (box, tell) => {
    let known = box.clientWidth;
    new ResizeObserver(() => {
      if (box.clientWidth === known) return;
      known = box.clientWidth;
      tell(known);
    }).observe(box);
  };

  // withX gives a line that has only a step its places.
  const withX = (line) => line.x ? line : {...line, x: Float64Array.from(line.y, (_, i) => i * line.step)};

  // canvas runs draw in CSS pixels of the plotting area.
  const canvas = (u, draw) => {
    u.ctx.save();
    u.ctx.translate(u.bbox.left, u.bbox.top);
    u.ctx.scale(uPlot.pxRatio, uPlot.pxRatio);
    draw(u.ctx, u.bbox.width / uPlot.pxRatio, u.bbox.height / uPlot.pxRatio);
    u.ctx.restore();
  };

  const zones = (u, chart, draw) => canvas(u, (ctx, width, height) => {
    for (const zone of chart.zones ?? []) {
      const from = Math.max(0, u.valToPos(zone.from, "x")), to = Math.min(width, u.valToPos(zone.to, "x"));
      if (from < to) draw(ctx, zone, from, to, height);
    }
  });

  const drawZones = (u, chart) => zones(u, chart, (ctx, zone, from, to, height) => {
    ctx.fillStyle = ink("zone-" + zone.kind);
    ctx.fillRect(from, 0, to - from, height);
  });

  // nameZones writes above the grid, where the zone is wide enough for its name.
  const nameZones = (u, chart) => zones(u, chart, (ctx, zone, from, to) => {
    ctx.font = font;
    ctx.textAlign = "center";
    if (ctx.measureText(zone.text).width > to - from) return;
    ctx.strokeStyle = ink("zone-" + zone.kind);
    ctx.lineWidth = 4;
    ctx.strokeText(zone.text, (from + to) / 2, 13);
    ctx.fillStyle = ink("soft");
    ctx.fillText(zone.text, (from + to) / 2, 13);
  });

  const markHeight = 9;

  // whisker draws an interval, unless the mark on it is higher.
  const whisker = (ctx, x, top, bottom) => {
    if (bottom - top < markHeight) return;
    ctx.beginPath();
    for (const y of [top, bottom]) {
      ctx.moveTo(x - 4, y);
      ctx.lineTo(x + 4, y);
    }
    ctx.moveTo(x, top);
    ctx.lineTo(x, bottom);
    ctx.stroke();
  };

  const mark = (ctx, line, i, x, y) => {
    const fill = line.fills?.[i];
    ctx.save();
    ctx.translate(x, y);
    ctx.fillStyle = ink("paper");
    ctx.fill(paths[line.shape]);
    ctx.fillStyle = colour(line);
    ctx.globalAlpha = fill === "half" ? .45 : 1;
    if (fill !== "none") ctx.fill(paths[line.shape]);
    ctx.globalAlpha = 1;
    ctx.stroke(paths[line.shape]);
    ctx.restore();
  };

  // bar is a column from zero, whose upper edge is the value.
  const bar = (u, ctx, line, i) => {
    const from = u.valToPos(line.x[i] - line.bar / 2, "x") + .5, to = u.valToPos(line.x[i] + line.bar / 2, "x") - .5;
    const top = u.valToPos(line.y[i], "y"), foot = u.valToPos(0, "y");
    ctx.save();
    ctx.fillStyle = colour(line);
    ctx.globalAlpha = line.fills?.[i] === "half" ? .12 : .45;
    ctx.fillRect(from, top, to - from, foot - top);
    ctx.globalAlpha = 1;
    if (line.fills?.[i] === "half") ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(from, top);
    ctx.lineTo(to, top);
    ctx.stroke();
    ctx.restore();
  };

  // drawMarks returns how many points it has drawn.
  const drawMarks = (u, lines) => {
    let drawn = 0;
    canvas(u, (ctx) => {
      ctx.lineWidth = 1.5;
      lines.forEach((line, k) => {
        if (!line.shape || !u.series[k + 1].show) return;
        ctx.strokeStyle = colour(line);
        line.x.forEach((x, i) => {
          if (line.y[i] === null || x < u.scales.x.min || x > u.scales.x.max) return;
          const at = u.valToPos(x, "x");
          if (line.bar) bar(u, ctx, line, i);
          if (line.lo?.[i] != null) whisker(ctx, at, u.valToPos(line.hi[i], "y"), u.valToPos(line.lo[i], "y"));
          if (!line.bar) mark(ctx, line, i, at, u.valToPos(line.y[i], "y"));
          drawn++;
        });
      });
    });
    return drawn;
  };

  // drawNotes puts each word above its point, or higher if another one is there. Above a bar that is narrower than a
  // word it is upright.
  const drawNotes = (u, lines) => canvas(u, (ctx, width) => {
    const taken = [];
    ctx.font = font;
    ctx.lineWidth = 4;
    lines.forEach((line, k) => {
      const room = line.bar ? u.valToPos(line.bar, "x") - u.valToPos(0, "x") : Infinity;
      for (const note of u.series[k + 1].show && line.notes || []) {
        if (note.x < u.scales.x.min || note.x > u.scales.x.max) continue;
        const wide = ctx.measureText(note.text).width, upright = wide > room, half = upright ? 6 : wide / 2;
        const x = Math.min(Math.max(u.valToPos(note.x, "x") - (note.ends ? half + 8 : 0), half), width - half);
        const up = note.low ? -18 : line.bar ? 6 : 12;
        let y = u.valToPos(note.y, "y") - up;
        while (!line.bar && taken.some((t) => Math.abs(t.x - x) < t.half + half + 4 && Math.abs(t.y - y) < 14)) y += note.low ? 14 : -14;
        taken.push({x, y, half});
        ctx.save();
        ctx.translate(x, y);
        if (upright) ctx.rotate(-Math.PI / 2);
        ctx.textAlign = upright ? "left" : "center";
        ctx.textBaseline = upright ? "middle" : "alphabetic";
        ctx.strokeStyle = ink("paper");
        ctx.strokeText(note.text, 0, 0);
        ctx.fillStyle = colour(line);
        ctx.fillText(note.text, 0, 0);
        ctx.restore();
      }
    });
  });

  const round = (v) => String(Number(v.toPrecision(6)));
  // joined writes a number with its unit as the terminal does: "12.3%", "140k op/s", "35.2 W".
  const joined = (number, unit) => unit === "%" || /^[kMGTP] /.test(unit) ? `${number}${unit}` : `${number} ${unit}`;

  // fitting returns those of the given ticks that have room beside each other, with their texts: of those that have a short
  // one, where not all have room in full, each in short, and every other one a line lower.
  const fitting = (u, x, min, max) => {
    const width = u.bbox.width / uPlot.pxRatio || u.width;
    const place = (v) => width * (x.log ? Math.log(v / min) / Math.log(max / min) : (v - min) / (max - min));
    const inside = x.ticks.filter((t) => t.at >= min && t.at <= max);
    u.ctx.save();
    u.ctx.font = font;
    let end = -Infinity;
    const kept = inside.filter((t) => {
      const half = u.ctx.measureText(t.text).width / 2;
      if (place(t.at) - half < end + 8) return false;
      end = place(t.at) + half;
      return true;
    });
    u.ctx.restore();
    if (kept.length === inside.length || !inside[0].short) return new Map(kept.map((t) => [t.at, t.text]));
    return new Map(inside.map((t, i) => [t.at, (i % 2 ? "\n" : "") + t.short]));
  };

  const xAxis = (x) => {
    const axis = {
      stroke: () => ink("soft"), grid: {stroke: () => ink("grid"), width: 1}, ticks: {stroke: () => ink("grid"), width: 1, size: 5},
      font, label: [x.name, x.unit].filter(Boolean).join(", "), labelFont: font, labelSize: 20,
      size: (_, values) => values?.some((v) => v?.includes("\n")) ? 44 : 30,
      values: (_, splits) => splits.map(round), filter: (_, splits) => splits,
    };
    if (x.whole) axis.incrs = [1, 2, 4, 8, 16, 32, 64, 128, 256];
    if (x.ticks) {
      let texts = new Map();
      axis.splits = (u, _, min, max) => [...(texts = fitting(u, x, min, max)).keys()];
      axis.values = (_, splits) => splits.map((v) => texts.get(v));
    }
    return axis;
  };

  const yAxis = () => ({
    stroke: () => ink("soft"), grid: {stroke: () => ink("grid"), width: 1}, ticks: {show: false}, font, size: 44, gap: 4,
    values: (_, splits) => splits.map(round),
  });

  const seriesOf = (line) => ({
    show: true, pxAlign: 0, width: line.wide ? 7 : line.faint ? 1 : 1.75, points: {show: false},
    stroke: () => colour(line), alpha: line.wide ? .35 : line.faint ? .7 : 1, dash: line.faint ? [4, 4] : dashes[line.dash ?? 0],
    paths: line.joined ? uPlot.paths.linear() : () => null,
  });

  // nearest is the point that the cursor is closest to, of the lines that have marks; of
  // all where none has.
  const nearest = (u, lines) => {
    const {left, top} = u.cursor;
    if (!(left >= 0)) return null;
    const marked = lines.some((l) => l.shape);
    let best = null;
    lines.forEach((line, k) => {
      if (!u.series[k + 1].show || marked && !line.shape) return;
      for (const i of around(line.x, u.posToVal(left, "x"))) {
        if (line.y[i] === null) continue;
        const x = u.valToPos(line.x[i], "x"), y = u.valToPos(line.y[i], "y"), away = Math.hypot(x - left, y - top);
        if (!best || away < best.away) best = {line, i, x, y, away};
      }
    });
    return best;
  };

  // around are the indices next to a value in a rising list.
  const around = (xs, v) => {
    let lo = 0, hi = xs.length;
    while (lo < hi) {
      const mid = lo + hi >> 1;
      if (xs[mid] < v) lo = mid + 1;
      else hi = mid;
    }
    return [lo - 1, lo].filter((i) => i >= 0 && i < xs.length);
  };

  const text = (chart, {line, i}) => line.tips?.[i] ??
    `${joined(round(line.x[i]), chart.x.unit)}: ${joined(round(line.y[i]), chart.y.unit)}`;

  window.plimsoll = {page, make, onResize, ink, font, withX, drawZones, nameZones, drawMarks, drawNotes, xAxis, yAxis, seriesOf, nearest, text};
})();
