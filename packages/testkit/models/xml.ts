/** An XML fragment, or several in order. Every function of this folder returns one fragment. */
export type Xml = string | readonly Xml[];

/** Attributes without a value are left out. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined;
}

/** An element in the namespace of BPMN, for everything that has no function here: `element('manualTask', { id: 'sign' })`. */
export function element(name: string, attributes: Attributes, content: Xml = ''): string {
  return tag(`bpmn:${name}`, attributes, content);
}

/** An element of any namespace that a file declares: `bpmn`, `zeebe`, `xsi`. */
export function tag(name: string, attributes: Attributes, content: Xml = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escape(String(value))}"`)
    .join('');
  const inner = joined(content);
  return inner === '' ? `<${name}${written}/>` : `<${name}${written}>${inner}</${name}>`;
}

/** One fragment per line. */
export function joined(xml: Xml): string {
  return typeof xml === 'string'
    ? xml
    : xml
        .map(joined)
        .filter((fragment) => fragment !== '')
        .join('\n');
}

/** Text as the content of an element or the value of an attribute. */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
