"use strict";
// Tables that sort, and lists that filter. Without this script all is there, in the order it was written.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("number");
      const first = numeric ? "descending" : "ascending";
      const order = head.ariaSort === first ? (numeric ? "ascending" : "descending") : first;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const rows = [...table.tBodies[0].rows].map((row) => {
        const cell = row.cells[column];
        const text = cell.dataset.sort ?? cell.textContent.trim();
        const number = parseFloat(text.replaceAll(",", ""));
        return { row, text, number: Number.isNaN(number) ? -1 : number };
      });
      const byNumber = numeric || rows.every((entry) => entry.row.cells[column].dataset.sort !== undefined);
      rows.sort((a, b) => sign * (byNumber ? a.number - b.number : a.text.localeCompare(b.text)));
      table.tBodies[0].append(...rows.map((entry) => entry.row));
    });
  });
}
for (const form of document.querySelectorAll(".filter")) {
  form.hidden = false;
  const fields = [...form.querySelectorAll("[data-filters]")];
  const target = document.getElementById(fields[0].dataset.filters);
  const items = target.tBodies ? [...target.tBodies[0].rows] : [...target.children];
  const names = items.map((item) => (item.cells ? item.cells[0] : item.querySelector("summary")).textContent.toLowerCase());
  const output = form.querySelector("output");
  const apply = () => {
    const words = fields[0].value.trim().toLowerCase();
    const classes = fields.slice(1).filter((field) => field.checked).map((field) => field.value);
    let shown = 0;
    items.forEach((item, place) => {
      const fits = names[place].includes(words) && classes.every((name) => item.classList.contains(name));
      item.hidden = !fits;
      shown += fits;
    });
    output.textContent = `${shown.toLocaleString("en")} of ${items.length.toLocaleString("en")}`;
  };
  fields.forEach((field) => field.addEventListener("input", apply));
  apply();
}
// A link to a folded site opens it.
const unfold = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") {
    target.open = true;
    target.hidden = false;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", unfold);
unfold();
