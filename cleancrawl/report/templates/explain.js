// Filters and keys for lists of blocks. Reads what the page holds; puts no text of it into markup.
"use strict";
(() => {
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const blocks = [...document.querySelectorAll(".block")];
  const runs = [...document.querySelectorAll(".run")];
  if (!form) return;
  const said = new Map();
  const textOf = (block) => {
    if (!said.has(block)) said.set(block, block.querySelector(".text").textContent.toLowerCase());
    return said.get(block);
  };

  function choose() {
    const wanted = Object.fromEntries(new FormData(form));
    const text = (wanted.text || "").trim().toLowerCase();
    const filtered = Boolean(wanted.verdict || wanted.stage || wanted.rule || text);
    let shown = 0;
    for (const block of blocks) {
      const stage = block.dataset.stage;
      const fits = (!wanted.verdict || (wanted.verdict === "kept") === (stage === "kept"))
        && (!wanted.stage || wanted.stage === stage)
        && (!wanted.rule || wanted.rule === block.dataset.rule)
        && (!text || textOf(block).includes(text));
      block.hidden = !fits;
      shown += fits;
    }
    for (const run of runs) {
      const fits = run.querySelector(".block:not([hidden])") !== null;
      run.hidden = !fits;
      run.open = Boolean(wanted.unfold) || (Boolean(wanted.rule || text) && fits);
    }
    count.value = filtered ? `${shown.toLocaleString("en")} of ${blocks.length.toLocaleString("en")} blocks` : "";
  }

  function seen(block) {
    const run = block.closest(".run");
    return !block.hidden && (!run || run.open);
  }

  function step(by, fits) {
    const here = document.activeElement ? document.activeElement.closest(".block") : null;
    let place = here ? blocks.indexOf(here) : by > 0 ? -1 : blocks.length;
    do place += by; while (blocks[place] && !(seen(blocks[place]) && fits(blocks[place])));
    if (blocks[place]) {
      blocks[place].focus({ preventScroll: true });
      blocks[place].scrollIntoView({ block: "center" });
    }
  }

  const any = () => true;
  const kept = (block) => block.dataset.stage === "kept";
  const keys = {
    j: () => step(1, any),
    k: () => step(-1, any),
    n: () => step(1, kept),
    p: () => step(-1, kept),
    o: () => { form.elements.unfold.click(); },
    "/": () => form.elements.text.focus(),
  };
  form.addEventListener("input", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(choose));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  // A link to a block in a folded run unfolds it.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const run = target && target.closest(".run");
    if (run) run.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
  choose();
})();
