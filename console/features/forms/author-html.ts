/**
 * Reduces HTML and Markdown of the author of a form to text with structure. The viewer keeps scripts out, but
 * not style sheets, popovers, and links whose text names another host: a form must not pass for a part of the console.
 */
const authored = '.fjs-form-field-html, .fjs-form-field-text';

const elements = new Set(
  (
    'A ABBR B BLOCKQUOTE BR CAPTION CODE DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HR I IMG INS ' +
    'KBD LI MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TR U UL'
  ).split(' '),
);
const attributes = new Set(['alt', 'colspan', 'dir', 'href', 'lang', 'open', 'rowspan', 'src', 'start', 'title']);
/** Set here. */
const own = new Set(['data-goes-to', 'rel', 'target']);

/**
 * Reduces what is shown in the container, now and after every change. Runs before the browser paints.
 * @returns ends it
 */
export function guardAuthorHtml(container: HTMLElement): () => void {
  const observer = new MutationObserver(() => reduce(container));
  observer.observe(container, { subtree: true, childList: true, attributes: true, characterData: false });
  reduce(container);
  return () => observer.disconnect();
}

/** Changes nothing that is reduced already, so that its own changes do not keep it running. */
function reduce(container: HTMLElement): void {
  for (const field of container.querySelectorAll(authored))
    // In document order, so that what an element leaves behind is still ahead.
    for (const element of field.querySelectorAll('*')) reduceElement(element);
}

function reduceElement(element: Element): void {
  if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml' || element.tagName === 'STYLE') return element.remove();
  if (!elements.has(element.tagName)) return element.replaceWith(...element.childNodes);
  for (const name of element.getAttributeNames())
    if (!attributes.has(name) && !own.has(name)) element.removeAttribute(name);
  if (element instanceof HTMLAnchorElement) reduceLink(element);
}

/** The style sheet shows where it leads, whatever its text says. */
function reduceLink(link: HTMLAnchorElement): void {
  const to = link.host || link.pathname;
  if (!link.hasAttribute('href')) return;
  set(link, 'data-goes-to', to);
  set(link, 'rel', 'noopener noreferrer');
  set(link, 'target', '_blank');
}

function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
