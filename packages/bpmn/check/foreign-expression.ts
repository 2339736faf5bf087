/**
 * Translation of other expression languages to FEEL, where the meaning is unambiguously the same: names, literals,
 * comparisons, and, or, not. `${amount > 100 && !vip}` is the Unified Expression Language (JUEL) of Camunda 7, Activiti
 * and Flowable; `getDataObject('approved') = 'yes'` is XPath with BPMN's own function (BPMN 2.0.2 section 10.4.3).
 */

interface Language {
  tokens: RegExp;
  /** FEEL operators by their equivalents. */
  operators: { readonly [written: string]: string };
}

const JUEL: Language = {
  tokens:
    /\s*(?:('(?:[^'\\])*'|"(?:[^"\\])*")|(\d+(?:\.\d+)?)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(==|!=|<=|>=|<|>|&&|\|\||!|\(|\)))/y,
  operators: {
    '==': '=',
    eq: '=',
    '!=': '!=',
    ne: '!=',
    '<': '<',
    lt: '<',
    '<=': '<=',
    le: '<=',
    '>': '>',
    gt: '>',
    '>=': '>=',
    ge: '>=',
    '&&': 'and',
    and: 'and',
    '||': 'or',
    or: 'or',
    '!': 'not',
    not: 'not',
    true: 'true',
    false: 'false',
    null: 'null',
    '(': '(',
    ')': ')',
  },
};

const XPATH: Language = {
  tokens:
    /\s*(?:('[^'\\]*'|"[^"\\]*")|(\d+(?:\.\d+)?)|(?:\w+:)?getDataObject\(\s*['"]([A-Za-z_]\w*)['"]\s*\)|(!=|<=|>=|=|<|>|\(|\)|\band\b|\bor\b|\bnot\b(?=\s*\()|\btrue\(\)|\bfalse\(\)))/y,
  operators: {
    '=': '=',
    '!=': '!=',
    '<': '<',
    '<=': '<=',
    '>': '>',
    '>=': '>=',
    and: 'and',
    or: 'or',
    not: 'not',
    'true()': 'true',
    'false()': 'false',
    '(': '(',
    ')': ')',
  },
};

/** Words with another meaning at the start of a FEEL expression. */
const FEEL_WORDS = new Set([
  'and',
  'between',
  'else',
  'every',
  'external',
  'for',
  'function',
  'if',
  'in',
  'instance',
  'not',
  'null',
  'of',
  'or',
  'return',
  'satisfies',
  'some',
  'then',
  'true',
  'false',
]);
const CONSTANTS = new Set(['true', 'false', 'null']);
const COMPARISONS = new Set(['=', '!=', '<', '<=', '>', '>=']);
/** Deeper expressions do not occur in practice, and reading them is recursive. */
const MAX_TOKENS = 200;

/** Whether `text` is one expression of JUEL. */
export function isJuel(text: string): boolean {
  return /^\s*[$#]\{[^{}]*\}\s*$/.test(text);
}

/** Whether `text` contains JUEL, entirely or in part. */
export function holdsJuel(text: string): boolean {
  return /[$#]\{/.test(text);
}

/** The FEEL equivalent of a JUEL name; undefined if none is certain. */
export type ForeignNames = (name: string) => string | undefined;

/**
 * FEEL without a leading equals sign; undefined if `text` is in neither language or has no certain FEEL equivalent.
 * @param names for JUEL inside a loop
 */
export function foreignAsFeel(text: string, names: ForeignNames = (name) => name): string | undefined {
  if (isJuel(text)) return translate(text.trim().slice(2, -1), JUEL, names);
  return /getDataObject\(/.test(text) ? translate(text, XPATH, (name) => name) : undefined;
}

interface Token {
  feel: string;
  isOperand: boolean;
}

function translate(text: string, language: Language, names: ForeignNames): string | undefined {
  const tokens = tokensOf(text.trim(), language, names);
  if (!tokens || tokens.length > MAX_TOKENS) return undefined;
  const rest = [...tokens];
  const feel = disjunction(rest);
  return rest.length === 0 ? feel : undefined;
}

function tokensOf(text: string, { tokens, operators }: Language, names: ForeignNames): Token[] | undefined {
  const found: Token[] = [];
  const reader = new RegExp(tokens);
  while (reader.lastIndex < text.length) {
    const token = reader.exec(text);
    if (!token) return undefined;
    const [, literal, number, word, operator] = token;
    if (literal !== undefined)
      found.push({ feel: `"${literal.slice(1, -1).replaceAll('"', '\\"')}"`, isOperand: true });
    else if (number !== undefined) found.push({ feel: number, isOperand: true });
    else if (word !== undefined && !Object.hasOwn(operators, word)) {
      const [first, ...members] = word.split('.');
      const name = names(first!);
      if (name === undefined || FEEL_WORDS.has(first!)) return undefined;
      found.push({ feel: [name, ...members].join('.'), isOperand: true });
    } else {
      const feel = operators[word ?? operator!]!;
      found.push({ feel, isOperand: CONSTANTS.has(feel) });
    }
  }
  return found;
}

function disjunction(tokens: Token[]): string | undefined {
  return chain(tokens, 'or', () => chain(tokens, 'and', () => comparison(tokens)));
}

function chain(tokens: Token[], operator: string, next: () => string | undefined): string | undefined {
  let all = next();
  while (all !== undefined && take(tokens, operator)) {
    const other = next();
    all = other === undefined ? undefined : `${all} ${operator} ${other}`;
  }
  return all;
}

function comparison(tokens: Token[]): string | undefined {
  const left = operand(tokens);
  if (left === undefined || !tokens[0] || !COMPARISONS.has(tokens[0].feel)) return left;
  const operator = tokens.shift()!.feel;
  const right = operand(tokens);
  return right === undefined ? undefined : `${left} ${operator} ${right}`;
}

function operand(tokens: Token[]): string | undefined {
  if (take(tokens, 'not')) {
    const inner = operand(tokens);
    return inner?.startsWith('(') ? `not${inner}` : inner && `not(${inner})`;
  }
  if (take(tokens, '(')) {
    const inner = disjunction(tokens);
    return inner !== undefined && take(tokens, ')') ? `(${inner})` : undefined;
  }
  return tokens[0]?.isOperand ? tokens.shift()!.feel : undefined;
}

function take(tokens: Token[], feel: string): boolean {
  if (tokens[0]?.feel !== feel || tokens[0].isOperand) return false;
  tokens.shift();
  return true;
}
