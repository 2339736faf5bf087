/**
 * Names that an expression may contain. FEEL names may have spaces and operator signs, so the parser has to be told which names there
 * are: variables in scope, and the entries that values may have.
 */
import { childOf, type XmlElement } from '../xml/element.js';

/** Names bound around an expression, innermost first. */
export interface NameScope {
  readonly names: readonly string[];
  readonly up?: NameScope;
}

export function bindNames(scope: NameScope | undefined, ...names: string[]): NameScope {
  return { names, ...(scope && { up: scope }) };
}

/** Whether a name is bound in a scope. */
export function isBound(scope: NameScope | undefined, name: string): boolean {
  for (let at = scope; at !== undefined; at = at.up) if (at.names.includes(name)) return true;
  return false;
}

const WORD = /[\p{L}\p{N}_?]+/gu;

/** Names by their first word, so that each expression is only shown those that it may contain. */
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

/** Elements whose name is that of an entry of some value. */
const NAME_GIVERS: ReadonlySet<string> = new Set(['itemComponent', 'output', 'decision', 'inputData', 'businessKnowledgeModel', 'decisionService']);
/** Elements whose `variable` names an entry: of a context, or a column. */
const VARIABLE_GIVERS: ReadonlySet<string> = new Set(['contextEntry', 'column', 'decision', 'inputData', 'businessKnowledgeModel', 'decisionService']);

/** Adds the names of entries that a file defines. */
export function collectNames(root: XmlElement, vocabulary: Vocabulary): void {
  const open: XmlElement[] = [root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    const own = NAME_GIVERS.has(element.name) || element.name === 'column' ? element.attributes.get('name') : undefined;
    if (own !== undefined) vocabulary.add(own);
    const variable = VARIABLE_GIVERS.has(element.name) ? childOf(element, 'variable')?.attributes.get('name') : undefined;
    if (variable !== undefined) vocabulary.add(variable);
    open.push(...element.children);
  }
}
