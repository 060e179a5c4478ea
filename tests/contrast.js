// The texts of a page whose contrast with what lies behind them is below WCAG 2's level AA.
const channels = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
  .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const found = channels(getComputedStyle(e).backgroundColor);
    if (found.length === 3 || found[3] === 1) return found;
  }
  return [255, 255, 255];
};
const faint = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || element.closest("script, style, noscript, svg")) continue;
  if (!element.checkVisibility()) continue;
  const style = getComputedStyle(element);
  const [a, b] = [light(channels(style.color)), light(behind(element))].sort((x, y) => y - x);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < (large ? 3 : 4.5)) faint.add(`${ratio.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 40)}`);
}
return [...faint];
