/** A parser by precedence climbing: JSR 245, section 1.9. */
import { FUNCTION_PREFIXES, tokenize, type Token } from './lexer.js';

export type Expression =
  | { kind: 'string' | 'number' | 'name'; text: string }
  | { kind: 'unary'; operator: string; operand: Expression }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'choice'; condition: Expression; then: Expression; otherwise: Expression }
  | { kind: 'member'; of: Expression; name: string }
  | { kind: 'index'; of: Expression; index: Expression }
  /** A method if `target` is a member, else a function, whose name may have a prefix. */
  | { kind: 'call'; target: Expression; arguments: Expression[] };

/** Higher binds tighter. */
const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ['==', 3],
  ['!=', 3],
  ['<', 4],
  ['>', 4],
  ['<=', 4],
  ['>=', 4],
  ['+', 5],
  ['-', 5],
  ['*', 6],
  ['/', 6],
  ['%', 6],
]);

/** Deeper expressions do not occur in practice, and reading them is recursive. */
const MAX_DEPTH = 100;

class NotReadable extends Error {}

/** Undefined if `text`, without `${` and `}`, is not an expression. */
export function parseJuel(text: string): Expression | undefined {
  const tokens = tokenize(text);
  return tokens && parseTokens(tokens);
}

/** Undefined if `tokens` are not one expression. */
export function parseTokens(tokens: readonly Token[]): Expression | undefined {
  const parser = new Parser(tokens);
  try {
    const expression = parser.choice();
    return parser.isAtEnd ? expression : undefined;
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#tokens.length;
  }

  choice(): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new NotReadable();
    const condition = this.#binary(1);
    const expression = this.#take('?') ? this.#branches(condition) : condition;
    this.#depth -= 1;
    return expression;
  }

  #branches(condition: Expression): Expression {
    const then = this.choice();
    this.#expect(':');
    return { kind: 'choice', condition, then, otherwise: this.choice() };
  }

  #binary(least: number): Expression {
    let left = this.#unary();
    for (let operator = this.#operatorOf(least); operator; operator = this.#operatorOf(least)) {
      this.#position += 1;
      left = { kind: 'binary', operator, left, right: this.#binary(PRECEDENCE.get(operator)! + 1) };
    }
    return left;
  }

  /** The next operator, if it binds at least as tightly as `least`. */
  #operatorOf(least: number): string | undefined {
    const token = this.#tokens[this.#position];
    if (token?.kind !== 'operator') return undefined;
    return (PRECEDENCE.get(token.text) ?? 0) >= least ? token.text : undefined;
  }

  #unary(): Expression {
    const operators: string[] = [];
    for (;;) {
      const operator = ['!', '-', 'empty'].find((each) => this.#take(each));
      if (!operator) break;
      operators.push(operator);
    }
    return operators.reduceRight<Expression>(
      (operand, operator) => ({ kind: 'unary', operator, operand }),
      this.#postfix(),
    );
  }

  #postfix(): Expression {
    let expression = this.#primary();
    for (;;) {
      if (this.#take('.')) expression = { kind: 'member', of: expression, name: this.#name() };
      else if (this.#take('[')) {
        expression = { kind: 'index', of: expression, index: this.choice() };
        this.#expect(']');
      } else if (this.#take('(')) expression = { kind: 'call', target: expression, arguments: this.#arguments() };
      else return expression;
    }
  }

  #arguments(): Expression[] {
    const found: Expression[] = [];
    if (this.#take(')')) return found;
    do found.push(this.choice());
    while (this.#take(','));
    this.#expect(')');
    return found;
  }

  #primary(): Expression {
    if (this.#take('(')) {
      const inner = this.choice();
      this.#expect(')');
      return inner;
    }
    const token = this.#tokens[this.#position];
    if (!token || token.kind === 'operator') throw new NotReadable();
    this.#position += 1;
    return token.kind === 'name' ? this.#prefixed(token.text) : { kind: token.kind, text: token.text };
  }

  /** `vars:get(...)`: the colon of a function's prefix, not that of a choice. */
  #prefixed(name: string): Expression {
    const [colon, local, open] = this.#tokens.slice(this.#position, this.#position + 3);
    const isPrefix = colon?.text === ':' && local?.kind === 'name' && open?.text === '(' && FUNCTION_PREFIXES.has(name);
    if (!isPrefix) return { kind: 'name', text: name };
    this.#position += 2;
    return { kind: 'name', text: `${name}:${local.text}` };
  }

  #name(): string {
    const token = this.#tokens[this.#position];
    if (token?.kind !== 'name') throw new NotReadable();
    this.#position += 1;
    return token.text;
  }

  #take(operator: string): boolean {
    const token = this.#tokens[this.#position];
    if (token?.kind !== 'operator' || token.text !== operator) return false;
    this.#position += 1;
    return true;
  }

  #expect(operator: string): void {
    if (!this.#take(operator)) throw new NotReadable();
  }
}
