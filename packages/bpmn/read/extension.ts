/**
 * Extension elements, read by local name in any namespace: other prefixes may be used for the extensions of `zeebe:`.
 */
import type { ModdleElement } from 'bpmn-moddle';
import type { SourceExtension } from '@perdure/engine/model/source.js';
import { booleanOf, localName, prefixOf } from '@perdure/xml/names.js';
import type { Namespaces } from './namespaces.js';

export class Extension implements SourceExtension {
  readonly #element: ModdleElement;
  readonly #namespaces: Namespaces;

  constructor(element: ModdleElement, namespaces: Namespaces) {
    this.#element = element;
    this.#namespaces = namespaces;
  }

  /** As written, with its prefix if it has one. */
  get qualifiedName(): string {
    return this.#namespaces.asWritten(this.#element.$type);
  }

  /** Undefined for a name without a namespace. */
  get namespace(): string | undefined {
    return this.#namespaces.of(prefixOf(this.#element.$type));
  }

  get name(): string {
    return localName(this.#element.$type);
  }

  attribute(name: string): string | undefined {
    for (const [key, value] of Object.entries(this.#element)) {
      if (typeof value === 'string' && !key.startsWith('$') && localName(key) === name) return value;
    }
    return undefined;
  }

  /** Names of all attributes except namespace declarations, as written. */
  attributeNames(): string[] {
    return Object.entries(this.#element)
      .filter(([key, value]) => typeof value === 'string' && !key.startsWith('$') && !/^xmlns(:|$)/.test(key))
      .map(([key]) => key);
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.attribute(name);
    return (text === undefined ? undefined : booleanOf(text)) ?? fallback;
  }

  children(name: string): Extension[] {
    return this.all().filter((child) => child.name === name);
  }

  /** Every child element. */
  all(): Extension[] {
    return (this.#element.$children ?? []).map((child) => new Extension(child, this.#namespaces));
  }

  get text(): string {
    return (this.#element.$body ?? '').trim();
  }
}
