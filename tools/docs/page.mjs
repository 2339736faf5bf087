/** One page of the documentation site: search, navigation, and the text of a document. */
import { dirname, posix } from 'node:path';

/** By folder, in the order of the navigation. Decisions and READMEs of packages are reached from pages. */
const sections = [
  ['Guide', (path) => path === 'README.md' || path.startsWith('docs/how-to/') || path.startsWith('examples/')],
  ['Reference', (path) => /^docs\/[^/]+\.md$/.test(path)],
  ['Operations', (path) => path.startsWith('docs/operations/') || path === 'SECURITY.md'],
  ['Contribute', (path) => /^(CONTRIBUTING|CHANGELOG)\.md$/.test(path) || path.startsWith('docs/contributing/')],
  ['Decisions', (path) => path === 'docs/adr/README.md'],
];

/** @returns {string} */
export function pageOf({ content, path, pages }) {
  const page = pages.find((one) => one.path === path);
  const from = dirname(page.address);
  const link = (one) => {
    const current = one.path === path ? ' aria-current="page"' : '';
    return `<li><a href="${posix.relative(from, one.address)}"${current}>${escaped(one.title)}</a></li>`;
  };
  const top = posix.relative(from, '.');
  const toTop = top === '' ? '' : `${top}/`;
  const navigation = sections.map(
    ([name, isIn]) =>
      `<strong>${name}</strong><ul>${pages
        .filter((one) => isIn(one.path))
        .map(link)
        .join('')}</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Perdure</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="side">
<search hidden>
<label for="search">Search</label>
<input id="search" type="search" maxlength="100" autocomplete="off" spellcheck="false" aria-keyshortcuts="Control+K Meta+K" data-root="${toTop}">
<p id="search-status" role="status"></p>
<ol id="search-results"></ol>
</search>
<nav aria-label="Documents">${navigation.join('')}</nav>
</div>
<main id="content">${content}</main>
<script src="${toTop}search.js"></script>
</body>
</html>
`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#dfe3e5, #293035); --soft: light-dark(#f5f6f6, #1d2327); --accent: light-dark(#0b6b63, #57c7ba) }
* { box-sizing: border-box }
body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); margin: 0; background: light-dark(#fff, #0f1315); color: light-dark(#151a1d, #e8ecee); font: 16px/1.55 system-ui, sans-serif }
a { color: var(--accent) }
.side { position: sticky; top: 0; height: 100vh; padding: 1rem; overflow: auto; border-right: 1px solid var(--line); font-size: 14px }
label { display: block; font-size: 13px; font-weight: bold }
input { width: 100%; margin-top: .25rem; padding: .4rem .5rem; border: 1px solid light-dark(#7b8488, #79848a); border-radius: 6px; background: inherit; color: inherit; font: inherit }
search p { margin: .25rem 0 0; font-size: 13px }
search ol { margin: 0; padding: 0; list-style: none }
search a { display: block; padding: 4px 0; text-decoration: none }
small { display: block; color: light-dark(#555f64, #a9b3b8) }
nav strong { display: block; margin: 1rem 0 .25rem; font-size: 13px }
nav ul { margin: 0; padding: 0; list-style: none }
nav a { display: block; padding: 2px 0; text-decoration: none }
nav a[aria-current] { font-weight: 650 }
main { max-width: 56rem; padding: 1rem 2rem 4rem }
main img { max-width: 100% }
h1, h2, h3 { line-height: 1.25 }
pre { padding: .75rem 1rem; overflow: auto; border-radius: 6px; background: var(--soft) }
code { font-size: .9em; overflow-wrap: anywhere }
pre code { overflow-wrap: normal }
table { display: block; overflow: auto; border-collapse: collapse }
th, td { padding: .4rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
.skip { position: absolute; top: -4rem }
.skip:focus { top: .5rem; left: .5rem }
@media (max-width: 760px) { body { display: block } .side { position: static; height: auto; max-height: 40vh; border: 0; border-bottom: 1px solid var(--line) } main { padding: 1rem } }
`;
