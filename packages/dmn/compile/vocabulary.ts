/**
 * Names that an expression may contain. FEEL names may contain spaces and operator characters, so the parser needs the
 * valid names: variables in scope, and the entries of possible values.
 */
import { childOf, type XmlElement } from '../xml/element.js';

/** Names bound around an expression, innermost first. */
export interface NameScope {
  readonly names: readonly string[];
  /**
   * Bound, but not known to the parser: it would read `net - 1` as the id `net-1`. One word is a name anyway,
   * and others are names in backticks.
   */
  readonly ids?: readonly string[];
  readonly up?: NameScope;
}

export function bindNames(scope: NameScope | undefined, ...names: string[]): NameScope {
  return { names, ...(scope && { up: scope }) };
}

/** Whether a name is bound in a scope. */
export function isBound(scope: NameScope | undefined, name: string): boolean {
  for (let at = scope; at !== undefined; at = at.up) if (at.names.includes(name) || at.ids?.includes(name)) return true;
  return false;
}

const WORD = /[\p{L}\p{N}_?]+/gu;

/** Names by their first word, so that the parser only gets the names that a given expression may contain. */
export class Vocabulary {
  readonly #byFirstWord = new Map<string, Set<string>>();

  add(name: string): void {
    const word = name.match(WORD)?.[0];
    if (word === undefined) return;
    const names = this.#byFirstWord.get(word);
    if (names) names.add(name);
    else this.#byFirstWord.set(word, new Set([name]));
  }

  /** The names of this vocabulary and of a scope that a text may contain. */
  namesIn(text: string, scope: NameScope | undefined): string[] {
    const words = new Set(text.match(WORD));
    const found = new Set<string>();
    for (const word of words) this.#byFirstWord.get(word)?.forEach((name) => found.add(name));
    for (let at = scope; at !== undefined; at = at.up) {
      for (const name of at.names) if (words.has(name.match(WORD)?.[0] ?? '')) found.add(name);
    }
    return [...found];
  }
}

/** Elements whose name, or whose variable's name, is also the name of an entry of some value. */
const ENTRIES: ReadonlySet<string> = new Set(['itemComponent', 'output', 'column', 'contextEntry']);
/** In an imported file these are entries of the import's name. */
const IMPORTED_ENTRIES: ReadonlySet<string> = new Set([
  ...ENTRIES,
  'decision',
  'inputData',
  'businessKnowledgeModel',
  'decisionService',
]);

/** Adds the names of entries that a file defines. */
export function collectNames(root: XmlElement, isImported: boolean, vocabulary: Vocabulary): void {
  const givers = isImported ? IMPORTED_ENTRIES : ENTRIES;
  const open: XmlElement[] = [root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (givers.has(element.name)) addNames(element, vocabulary);
    open.push(...element.children);
  }
}

function addNames(element: XmlElement, vocabulary: Vocabulary): void {
  for (const name of [element.attributes.get('name'), childOf(element, 'variable')?.attributes.get('name')]) {
    if (name !== undefined) vocabulary.add(name);
  }
}
