// Names of consent managers and paywalls in classes and ids; collected by this project from their public documentation.
// Hides what lies over a page, so that cleaning passes it by; gives back how many elements that were.
() => {
  const names = /onetrust|cookiebot|cybotcookie|didomi|usercentrics|quantcast|qc-cmp|sp_message|trustarc|truste|iubenda|osano|borlabs|klaro|cookie-?(?:law|notice|banner|consent|bar|modal|wall)|consent|gdpr|ccpa|fc-dialog|cmp-?(?:box|wrapper|container|root|modal)|paywall|piano-|tp-modal|tp-backdrop|poool|regwall|meter-?wall|subscribe-?(?:wall|modal|overlay)|newsletter-?(?:modal|popup|overlay)|adblock/i;
  const largest = (document.body ? document.body.innerText.length : 0) / 2;
  const hide = element => {
    // What has most of the page's text is the page.
    if (element === document.body || element.contains(document.querySelector("article, main, [role=main]"))) return 0;
    if ((element.innerText || "").length > Math.max(largest, 600)) return 0;
    element.setAttribute("hidden", "");
    return 1;
  };
  let hidden = 0;
  for (const element of document.querySelectorAll("dialog[open], [aria-modal=true], [role=alertdialog]")) hidden += hide(element);
  let left = 5000;
  for (const element of document.querySelectorAll("body [id], body [class]")) {
    if (left-- <= 0) break;
    if (element.hasAttribute("hidden") || element.closest("article, main, [hidden]") || !names.test(element.id + " " + element.getAttribute("class"))) continue;
    hidden += hide(element);
  }
  left = 5000;
  for (const element of document.querySelectorAll("body *")) {
    if (left-- <= 0) break;
    if (getComputedStyle(element).position !== "fixed" || element.closest("[hidden], header, nav")) continue;
    const box = element.getBoundingClientRect();
    if (box.width * box.height > 0.2 * innerWidth * innerHeight) hidden += hide(element);
  }
  return hidden;
}
