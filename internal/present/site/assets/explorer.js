// The explorer: which view a URL means, and the rows that all views hear of.
import {get, queryNow} from "./lib.js";
import * as sessions from "./sessions.js";
import * as compare from "./compare.js";
import * as historyView from "./history.js";

const views = {"/": ["sessions", sessions], "/compare": ["compareview", compare], "/history": ["history", historyView]};
const trouble = document.getElementById("trouble");

export const say = (text) => {
  trouble.textContent = text;
  trouble.hidden = !text;
};

const route = () => {
  const [id, view] = views[location.pathname] ?? views["/"];
  for (const main of document.querySelectorAll("main")) main.hidden = main.id !== id;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view.show(queryNow(), say);
};

addEventListener("popstate", route);
addEventListener("click", (e) => {
  const link = e.target.closest?.("a[href]");
  if (!link || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || !views[to.pathname] || link.target) return;
  e.preventDefault();
  history.pushState(null, "", to.pathname + to.search);
  route();
  scrollTo(0, 0);
});

// Rows are asked for anew while somebody looks: soon if files are still being read, or runs go on.
let revision = 0, failing = false;
const poll = async () => {
  let wait = 3000;
  if (!document.hidden) {
    try {
      const doc = await get("/api/sessions", new URLSearchParams({since: revision}));
      const files = sessions.take(doc);
      revision = doc.revision;
      compare.changed(files);
      if (doc.pending) wait = 50;
      if (failing) say("");
      failing = false;
    } catch (e) {
      failing = true;
      say(`The server does not answer: ${e.message}`);
    }
  }
  setTimeout(poll, wait);
};

route();
poll();
