/**
 * XPath conditions of process data, as FEEL of the same meaning: comparisons, and, or, and not over BPMN's own function
 * `getDataObject` (BPMN 2.0.2 section 10.4.3), literals, and nothing else. They have the structure of JUEL.
 */
import { asFeel } from '@perdure/juel/feel.js';
import { MAX_TOKENS, type Token } from '@perdure/juel/lexer.js';
import { asVariable } from '@perdure/juel/names.js';
import { parseTokens } from '@perdure/juel/parser.js';

const TOKEN =
  /\s*(?:('[^'\\]*'|"[^"\\]*")|(\d+(?:\.\d+)?)|(?:\w+:)?getDataObject\(\s*['"]([A-Za-z_]\w*)['"]\s*\)|(true|false)\(\)|(!=|<=|>=|=|<|>|\(|\)|\band\b|\bor\b|\bnot\b(?=\s*\()))/y;

/** Operators of JUEL by those of XPath that are written differently. */
const OPERATORS: { readonly [written: string]: string } = { '=': '==', and: '&&', or: '||', not: '!' };

/** Names of data objects that would be read as constants. */
const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** Whether `text` reads process data in XPath. */
export function isXPath(text: string): boolean {
  return /getDataObject\(/.test(text);
}

/** FEEL without a leading equals sign; undefined if no equivalent is certain. */
export function xpathAsFeel(text: string): string | undefined {
  const tokens = tokensOf(text.trim());
  const expression = tokens && parseTokens(tokens);
  return expression && asFeel(expression, asVariable);
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const reader = new RegExp(TOKEN);
  while (reader.lastIndex < text.length) {
    const match = reader.exec(text);
    if (!match || tokens.length === MAX_TOKENS) return undefined;
    const [, literal, number, name, constant, operator] = match;
    if (name !== undefined && CONSTANTS.has(name)) return undefined;
    if (literal !== undefined) tokens.push({ kind: 'string', text: literal.slice(1, -1) });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (operator === undefined) tokens.push({ kind: 'name', text: name ?? constant! });
    else tokens.push({ kind: 'operator', text: OPERATORS[operator] ?? operator });
  }
  return tokens;
}
