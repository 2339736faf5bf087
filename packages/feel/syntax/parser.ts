/** State shared by the parts of the parser: the text, the names, and how to read an expression. */
import type { Node } from '../tree.js';
import { Cursor } from './text/cursor.js';
import type { Scope } from './names/scope.js';
import { createUses, type Uses } from './names/uses.js';
import { Vocabulary } from './names/vocabulary.js';

/** The context of an expression: the enclosing bindings. */
export type Place = Scope | undefined;

export class Parser {
  readonly cursor: Cursor;
  readonly names: Vocabulary;
  readonly uses: Uses = createUses();
  /** Set while the end of an interval is expected, so that `[` may close it. */
  endsInterval = false;
  /** The bindings that are referenced. */
  readonly usedBindings = new Set<Scope>();

  constructor(
    text: string,
    names: readonly string[],
    readonly readExpression: (parser: Parser, scope: Place) => Node,
  ) {
    this.cursor = new Cursor(text);
    this.names = new Vocabulary(names);
  }

  /** Reads an expression of the lowest precedence. */
  expression(scope: Place): Node {
    return this.cursor.nested(() => this.readExpression(this, scope));
  }

  /** Reads the content of brackets, or the end of an interval. */
  inside<T>(endsInterval: boolean, part: () => T): T {
    const before = this.endsInterval;
    this.endsInterval = endsInterval;
    const result = part();
    this.endsInterval = before;
    return result;
  }
}
