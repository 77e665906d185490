// Which English words a page shows that is asked for in Portuguese.

const common = "the of is are was were and not with this that there here it its only by been be at who what when which where from on for has have had will may must can than then too yet such or if but they you your we our".split(" ");
const tokens = (text) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/** All words of a page in a language, by its name. */
const wordsOf = (page, language) => page.evaluate(async (language) => {
  const at = new URL(location.href);
  at.searchParams.set("lang", language);
  const html = await (await fetch(at)).text();
  return JSON.parse(new DOMParser().parseFromString(html, "text/html").getElementById("words").textContent);
}, language);

const known = new Map();

/** The English words that can be read on a page, or heard. Codes, the notation, and what people wrote are of no language. */
export async function english(page) {
  const path = new URL(page.url()).pathname;
  if (!known.has(path)) {
    const portuguese = new Set(tokens(Object.values(await wordsOf(page, "pt")).join(" ")));
    const list = [...common, ...tokens(Object.values(await wordsOf(page, "en")).join(" "))];
    known.set(path, new Set(list.filter((w) => !portuguese.has(w))));
  }
  const text = await page.evaluate(() => {
    const parts = [document.title], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) if (!walk.currentNode.parentElement.closest("code, bdi, script, pre")) parts.push(walk.currentNode.data);
    for (const e of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) for (const a of ["aria-label", "title", "placeholder", "alt"]) parts.push(e.getAttribute(a) ?? "");
    return parts.join("\n");
  });
  return tokens(text.replaceAll(/\b[A-Z]{2,}(_[A-Z0-9]+)*\b/g, "")).filter((w) => known.get(path).has(w));
}
