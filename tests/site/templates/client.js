// The whole of the client-rendered site: what a reader sees is made here, from JSON.
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const get = async path => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path);
  return answer.json();
};
const link = story => make("a", { href: story.path }, story.title);
const overlays = {
  consent: () => make("div", { class: "cc-layer", style: "position:fixed;inset:0;background:#fff" }, make("p", {},
    "We and our 812 partners store and read information on your device, such as cookies, and process personal data, so that we can show you advertisements that fit you, measure them, and learn who our readers are. You can agree to this, or manage your choices."), make("button", {}, "Agree to all")),
  paywall: () => make("div", { class: "paywall-box", style: "position:fixed;bottom:0;height:40%;width:100%" }, make("h2", {},
    "Read on with a subscription"), make("p", {}, "You have read your three free stories of this month. Subscribe now for a crown a week, and read all that our newsroom writes, whenever you want to.")),
};
const frame = (...content) => [
  make("header", {}, make("nav", {}, ...["/", "/about", "/imprint"].map(path => make("a", { href: path }, path === "/" ? "Home" : path.slice(1))))),
  make("main", {}, ...content),
  make("footer", {}, make("p", {}, "© 2026 The Harbour Wire. All rights reserved.")),
];
const block = ({ kind, lines }) => kind === "list" ? make("ul", {}, ...lines.map(line => make("li", {}, line)))
  : make({ subhead: "h2", quote: "blockquote" }[kind] || "p", {}, lines[0]);
const show = async () => {
  const path = location.pathname;
  if (path === "/") return frame(make("h1", {}, "The Harbour Wire"), make("ul", {}, ...(await get("/api/front.json")).map(story => make("li", {}, link(story)))));
  const story = await get("/api" + path + ".json");
  document.title = story.title + " | The Harbour Wire";
  const more = make("aside", { class: "related" }, make("h3", {}, "More stories"), ...story.more.map(other => make("p", {}, link(other))));
  return [...frame(make("article", {}, make("h1", {}, story.title), make("p", { class: "byline" }, "By " + story.author + ", ",
    make("time", { datetime: story.date }, story.date.slice(0, 10))), make("img", { src: "/picture.jpg", alt: "" }), make("p", {}, story.standfirst), ...story.body.map(block)), more),
    ...story.overlays.map(name => overlays[name]())];
};
show().then(content => document.getElementById("root").replaceChildren(...content), error => { document.getElementById("root").textContent = "Sorry."; });
