/**
 * Attributes as written. The parser under bpmn-moddle drops the prefix of an attribute whose namespace is also the
 * default one, although an attribute without a prefix has no namespace: `tns:version` would be an attribute of BPMN.
 */
import type { ReadableXml } from '@perdure/xml/readable.js';
import { visitReadable } from '@perdure/xml/scan.js';
import type { ModdleNode } from 'bpmn-moddle';
import { PACKAGES } from './meta-model.js';

interface Opened {
  attributes: ReadonlyMap<string, string>;
  /** Elements inside, at any depth. */
  inside: number;
}

/** Prefixes under which the parser always has the namespaces of BPMN itself. */
const OWN: readonly string[] = [...PACKAGES, 'xsi', 'xml', 'xmlns'];

const DECLARATION = /\sxmlns(:[^\s=]+)?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export class WrittenAttributes {
  readonly #opened: Opened[] = [];
  #next = 0;

  /** Undefined if no namespace is declared both as the default and with a prefix, as in almost every file. */
  static of(file: ReadableXml): WrittenAttributes | undefined {
    const [withPrefix, asDefault] = [new Set<string>(), new Set<string>()];
    for (const [, prefix, double, single] of file.text.matchAll(DECLARATION))
      (prefix === undefined ? asDefault : withPrefix).add(double ?? single ?? '');
    return [...asDefault].some((namespace) => withPrefix.has(namespace)) ? new WrittenAttributes(file) : undefined;
  }

  private constructor(file: ReadableXml) {
    const around: Opened[] = [];
    visitReadable(file, {
      open: (_name, attributes) => {
        for (const element of around) element.inside += 1;
        const element = { attributes, inside: 0 };
        this.#opened.push(element);
        around.push(element);
      },
      close: () => around.pop(),
      text: () => undefined,
    });
  }

  /** The next element in document order, with the prefixes of its attributes. */
  restore(node: ModdleNode): ModdleNode {
    const written = this.#opened[this.#next]?.attributes;
    this.#next += 1;
    if (!written) return node;
    const attributes: { [name: string]: string } = { ...node.attributes };
    for (const [name, value] of written) {
      const colon = name.indexOf(':');
      const alias = colon < 0 ? undefined : node.ns[name.slice(0, colon)];
      if (alias === undefined || alias !== node.ns['xmlns'] || OWN.includes(alias)) continue;
      const local = name.slice(colon + 1);
      const own = written.get(local);
      if (own === undefined) delete attributes[local];
      else attributes[local] = own;
      attributes[name] = value;
    }
    return { ...node, attributes };
  }

  /** Passes over everything inside the element that was restored last. */
  skipInside(): void {
    this.#next += this.#opened[this.#next - 1]?.inside ?? 0;
  }
}
