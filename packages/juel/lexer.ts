/** Tokens of the Unified Expression Language (JSR 245, chapter 1), as Camunda 7, Activiti, and Flowable use it. */

export type Token = { kind: 'string' | 'number' | 'name'; text: string } | { kind: 'operator'; text: string };

const TOKEN =
  /\s*(?:('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_$][\w$]*)|(==|!=|<=|>=|&&|\|\||[<>!()[\]{}.,?:+\-*/%]))/y;

/** Words that are operators. */
const WORDS: { readonly [word: string]: string } = {
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  and: '&&',
  or: '||',
  not: '!',
  div: '/',
  mod: '%',
  empty: 'empty',
};

/** Longer expressions do not occur in practice. */
export const MAX_TOKENS = 1000;

/** Undefined if `text` is not made of tokens of the language. */
export function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const reader = new RegExp(TOKEN);
  const end = text.trimEnd().length;
  while (reader.lastIndex < end) {
    const match = reader.exec(text);
    if (!match || tokens.length === MAX_TOKENS) return undefined;
    const [, string, number, name, operator] = match;
    if (string !== undefined) tokens.push({ kind: 'string', text: unescape(string) });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name === undefined) tokens.push({ kind: 'operator', text: operator! });
    else if (Object.hasOwn(WORDS, name) && !isMember(tokens)) tokens.push({ kind: 'operator', text: WORDS[name]! });
    else tokens.push({ kind: 'name', text: name });
  }
  return tokens;
}

/** Flowable's function namespaces. */
export const FUNCTION_PREFIXES: ReadonlySet<string> = new Set(['variables', 'vars', 'var', 'date', 'collection']);

/** After a dot or a function prefix, every word is a name. */
function isMember(tokens: readonly Token[]): boolean {
  const [prefix, last] = tokens.slice(-2);
  return tokens.at(-1)?.text === '.' || (last?.text === ':' && FUNCTION_PREFIXES.has(prefix!.text));
}

function unescape(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}
