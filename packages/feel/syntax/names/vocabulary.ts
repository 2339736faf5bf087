/** The names that an expression may use: those its host knows and those it declares itself. */
import { builtinNames } from '../../builtins/index.js';
import { canonicalName, KnownNames } from './names.js';

/** Words that cannot start or continue an unknown name (DMN 1.5 section 10.3.1.2). */
const RESERVED = [
  'and',
  'between',
  'else',
  'every',
  'false',
  'for',
  'function',
  'if',
  'in',
  'instance',
  'null',
  'or',
  'return',
  'satisfies',
  'some',
  'then',
  'true',
  '?',
];

export function isReserved(word: string): boolean {
  return RESERVED.includes(word);
}

/** Built-in functions with a reserved word in their name. */
const FUNCTIONS: readonly string[] = builtinNames().filter((name) => name.split(' ').some(isReserved));

export class Vocabulary {
  /** Names that can be used here. */
  readonly #visible = new KnownNames();
  /** These names and every name declared so far: values may have entries with these names. */
  readonly #entries = new KnownNames();
  readonly #functions = new KnownNames();
  readonly #known: ReadonlySet<string>;
  /** The canonical form of a name that may be written in several ways. */
  readonly #spelling: Map<string, string>;

  constructor(names: readonly string[]) {
    this.#known = new Set(names);
    this.#spelling = new Map(names.map((name) => [canonicalName(name), name]));
    for (const name of this.#known) {
      this.#visible.add(name);
      this.#entries.add(name);
    }
    for (const name of FUNCTIONS) this.#functions.add(name);
  }

  /** Whether the host knows the name. */
  isKnown(name: string): boolean {
    return this.#known.has(name);
  }

  /** A name that the text itself declares: an entry, a parameter, an iteration variable. */
  declare(name: string): void {
    const canonical = canonicalName(name);
    if (!this.#spelling.has(canonical)) this.#spelling.set(canonical, name);
    this.#visible.add(name);
    this.#entries.add(name);
  }

  /** The end of the construct that declared the name. */
  forget(name: string): void {
    this.#visible.remove(name);
  }

  /** The name as its declaration spells it. */
  spelled(written: string): string {
    return this.#spelling.get(canonicalName(written)) ?? written;
  }

  /** The end of the known name that starts at an offset. */
  endOfName(text: string, offset: number, isEntry: boolean): number | undefined {
    return (isEntry ? this.#entries : this.#visible).endAt(text, offset);
  }

  /** The end of a built-in function's name that contains a reserved word. */
  endOfFunction(text: string, offset: number): number | undefined {
    return this.#functions.endAt(text, offset);
  }
}
