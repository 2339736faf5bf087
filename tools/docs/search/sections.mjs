/** The sections of a page, as the search finds them. */

/**
 * @typedef {object} Section
 * @property {string} address with the anchor of its heading; without one for the beginning of a page
 * @property {string} page the title of the page
 * @property {string} heading empty for the beginning of a page
 * @property {string} text
 */

const heading = /<h[1-3] id="([^"]+)"[^>]*>(.*?)<\/h[1-3]>/gs;

/**
 * @param {string} html of the page
 * @param {string} address
 * @returns {Section[]}
 */
export function sectionsOf(html, address) {
  const content = /<main id="content">(.*)<\/main>/s.exec(html)?.[1] ?? '';
  const headings = [...content.matchAll(heading)];
  const page = textOf(headings[0]?.[2] ?? address);
  const sections = headings.map((match, index) => ({
    address: index === 0 ? address : `${address}#${match[1]}`,
    page,
    heading: index === 0 ? '' : textOf(match[2] ?? ''),
    text: textOf(content.slice(match.index + match[0].length, headings[index + 1]?.index)),
  }));
  return sections.length > 0 ? sections : [{ address, page, heading: '', text: textOf(content) }];
}

/** @type {Readonly<Record<string, string>>} */
const entities = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/** @param {string} html */
function textOf(html) {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name) => entities[name])
    .replaceAll(/\s+/g, ' ')
    .trim();
}
