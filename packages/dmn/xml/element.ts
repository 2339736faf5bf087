/**
 * An element of a file, with its namespace resolved. Children in foreign namespaces (diagrams, and vendor extensions
 * except version tags) are dropped.
 */
export interface XmlElement {
  /** Name without prefix. */
  name: string;
  namespace: string;
  /** Attributes by name as written. */
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** Its own text, without that of its children. */
  text: string;
  parent?: XmlElement;
  /** Namespaces declared here, by prefix; the empty prefix is the default namespace. */
  declared?: ReadonlyMap<string, string>;
  /** Children that were dropped, and the version tag, by their names as written. */
  foreign?: { name: string; namespace: string }[];
}

/** The namespace of a prefix at an element; undefined if it is not declared. */
export function namespaceOf(element: XmlElement, prefix: string): string | undefined {
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) {
    const namespace = at.declared?.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

/** The first child with this name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** All children with this name. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The trimmed text of the first child with this name; undefined if absent or empty. */
export function textOf(element: XmlElement, name: string): string | undefined {
  const text = childOf(element, name)?.text.trim();
  return text === '' ? undefined : text;
}

/** The id of the element or of the nearest enclosing element that has one. */
export function nearestID(element: XmlElement): string | undefined {
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) {
    const id = at.attributes.get('id');
    if (id !== undefined) return id;
  }
  return undefined;
}

/** An attribute by its name without prefix. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  for (const [key, value] of element.attributes) if (key === name || key.endsWith(`:${name}`)) return value;
  return undefined;
}
