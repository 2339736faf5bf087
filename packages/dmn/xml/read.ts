/** Reads the elements of a DMN file: those of the root's own namespace, and version tags. */
import { malformed, type Refusal } from '@perdure/xml/refusal.js';
import { visit, type Visitor } from '@perdure/xml/scan.js';
import { namespaceOf, type XmlElement } from './element.js';

/** The root element, or why the text is not read. */
export function readXml(text: string): XmlElement | Refusal {
  const reader = new Reader();
  return visit(text, reader) ?? reader.root ?? malformed('The file has no elements');
}

class Reader implements Visitor {
  root: XmlElement | undefined;
  #current: XmlElement | undefined;
  #depth = 0;
  /** Depth of the outermost dropped element, while inside it. */
  #skipped: number | undefined;

  open(qualifiedName: string, given: ReadonlyMap<string, string>): void {
    this.#depth += 1;
    if (this.#skipped !== undefined) return;
    const element = this.#element(qualifiedName, given);
    const { parent, namespace } = element;
    if (parent && namespace !== this.root?.namespace) (parent.foreign ??= []).push({ name: qualifiedName, namespace });
    if (this.root !== undefined && element.namespace !== this.root.namespace && !isVersionTag(element)) {
      this.#skipped = this.#depth;
      return;
    }
    element.parent?.children.push(element);
    this.root ??= element;
    this.#current = element;
  }

  #element(qualifiedName: string, given: ReadonlyMap<string, string>): XmlElement {
    const attributes = new Map<string, string>();
    const declared = new Map<string, string>();
    for (const [key, value] of given) {
      if (key === 'xmlns') declared.set('', value);
      else if (key.startsWith('xmlns:')) declared.set(key.slice(6), value);
      else attributes.set(key, value);
    }
    const colon = qualifiedName.indexOf(':');
    const prefix = colon < 0 ? '' : qualifiedName.slice(0, colon);
    const parent = this.#current;
    const namespace = declared.get(prefix) ?? (parent && namespaceOf(parent, prefix)) ?? '';
    const name = qualifiedName.slice(colon + 1);
    return {
      name,
      namespace,
      attributes,
      children: [],
      text: '',
      ...(parent && { parent }),
      ...(declared.size > 0 && { declared }),
    };
  }

  close(): void {
    if (this.#skipped === undefined) this.#current = this.#current?.parent;
    else if (this.#skipped === this.#depth) this.#skipped = undefined;
    this.#depth -= 1;
  }

  text(value: string): void {
    if (this.#skipped === undefined && this.#current !== undefined) this.#current.text += value;
  }
}

/** The only supported vendor extension. */
function isVersionTag({ name, parent }: XmlElement): boolean {
  return name === 'versionTag' && parent?.name === 'extensionElements';
}
