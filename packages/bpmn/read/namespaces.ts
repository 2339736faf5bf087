/**
 * Namespaces of the names in a parsed file. The parser gives one prefix to each namespace, whatever the file calls it
 * and wherever it declares it, so that names are looked up by that prefix.
 */
import type { ModdleNode } from 'bpmn-moddle';

const DECLARATION = /^xmlns(?::|$)/;

export class Namespaces {
  readonly #byPrefix = new Map<string, string>();
  /** Prefixes that some element of the file declares. */
  readonly #written = new Set<string>();

  /** Notes what an element declares. */
  note({ attributes, ns }: ModdleNode): void {
    for (const [name, namespace] of Object.entries(attributes)) {
      if (!DECLARATION.test(name)) continue;
      const written = name === 'xmlns' ? undefined : name.slice('xmlns:'.length);
      const prefix = ns[written ?? 'xmlns'];
      if (prefix !== undefined) this.#byPrefix.set(prefix, namespace);
      if (written !== undefined) this.#written.add(written);
    }
  }

  of(prefix: string): string | undefined {
    return this.#byPrefix.get(prefix);
  }

  /** The name without a prefix that only the parser has given to it. */
  asWritten(qualifiedName: string): string {
    const colon = qualifiedName.indexOf(':');
    const prefix = qualifiedName.slice(0, Math.max(0, colon));
    return this.#byPrefix.has(prefix) && !this.#written.has(prefix) ? qualifiedName.slice(colon + 1) : qualifiedName;
  }
}
