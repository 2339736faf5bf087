/**
 * SQL/JSON path predicates over one value of a search summary (`store/sql/search-summary.ts`), in lax mode. A comparison with a
 * missing or unknown value (`[]`) is not true, and neither is one between types that cannot be compared. Null equals
 * only null.
 */
import { MAX_PREFIX } from '../../store/sql/search-summary.js';
import { storableText } from '../../store/sql/text.js';
import type { ComparisonOperator, Node } from '@perdure/feel/tree.js';

/** The conclusions about a part of a predicate. Each is true only when it is certain, so none can be negated. */
export interface Verdicts {
  readonly isTrue: string;
  readonly isFalse: string;
  /** Certainly true or false, but not an error. */
  readonly isDecided: string;
  readonly isError: string;
}

/** A variable and the path of an entry in it. */
export type ValuePath = readonly string[];

/** Members of a variable in a path. Search summaries have values of fewer levels, so a longer path excludes no instance. */
const MAX_MEMBERS = 8;

export type Constant = null | boolean | number | string;

/** As `type()` names them; `array` means that the value is unknown. */
const TYPES = ['null', 'boolean', 'number', 'string', 'object'] as const;
type Type = (typeof TYPES)[number];

const OPPOSITE: Record<ComparisonOperator, ComparisonOperator> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** A variable or a path into one; undefined for any other node, and for names that Postgres cannot store. */
export function pathOf(node: Node): ValuePath | undefined {
  if (node.kind === 'name')
    return node.cell === undefined && node.items === undefined && node.builtin !== true && isStorable(node.name)
      ? [node.name]
      : undefined;
  if (node.kind !== 'member' || !isStorable(node.name)) return undefined;
  const target = pathOf(node.target);
  return target && target.length <= MAX_MEMBERS ? [...target, node.name] : undefined;
}

/** A constant that a search summary distinguishes from all other values; undefined for any other node. */
export function constantOf(node: Node): Constant | undefined {
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  return typeof value !== 'string' || (value.length <= MAX_PREFIX && isStorable(value)) ? value : undefined;
}

/** The instance does not have the variable. */
export function lacks(name: string): string {
  return `!exists(${textOf([name])})`;
}

/** `path operator constant`; undefined when SQL and FEEL could evaluate it differently. */
export function comparisonVerdicts(
  path: ValuePath,
  operator: ComparisonOperator,
  constant: Constant,
): Verdicts | undefined {
  const isOrder = operator !== '=' && operator !== '!=';
  if (isOrder && !hasSameOrder(constant)) return undefined;
  const fits = isOrder ? [typeOf(constant)] : equalityTypes(constant);
  return {
    isTrue: compared(path, operator, constant),
    isFalse: compared(path, OPPOSITE[operator], constant),
    isDecided: isOneOf(path, fits),
    isError: cannotBe(path, fits),
  };
}

/** The value of the path where a boolean is required. */
export function truthVerdicts(path: ValuePath): Verdicts {
  return {
    isTrue: compared(path, '=', true),
    isFalse: compared(path, '=', false),
    isDecided: isOneOf(path, ['boolean']),
    isError: cannotBe(path, ['boolean']),
  };
}

/** True when at least one of the predicates is. */
export function any(predicates: readonly string[]): string {
  return predicates.map((predicate) => `(${predicate})`).join(' || ');
}

/** True when all of the predicates are. */
export function all(predicates: readonly string[]): string {
  return predicates.map((predicate) => `(${predicate})`).join(' && ');
}

/**
 * FEEL orders strings by UTF-16 code unit, Postgres by code point. The orders agree unless both strings have code units
 * above the surrogates.
 */
function hasSameOrder(constant: Constant): boolean {
  return typeof constant === 'number' || (typeof constant === 'string' && !/[\u{d800}-\u{10ffff}]/u.test(constant));
}

function equalityTypes(constant: Constant): readonly Type[] {
  return constant === null ? TYPES : [typeOf(constant), 'null'];
}

function typeOf(constant: Constant): Type {
  return constant === null ? 'null' : (typeof constant as 'boolean' | 'number' | 'string');
}

/** The value does not exist or has none of these types. */
function cannotBe(path: ValuePath, fits: readonly Type[]): string {
  const misfits = TYPES.filter((type) => !fits.includes(type));
  return misfits.length === 0 ? isMissing(path) : any([isMissing(path), isOneOf(path, misfits)]);
}

function isOneOf(path: ValuePath, types: readonly Type[]): string {
  return any(types.map((type) => isOfType(path, type)));
}

/** The path ends before its last name, but not in an unknown value. `lacks` covers a missing variable. */
function isMissing(path: ValuePath): string {
  const told = path.slice(1).map((_name, index) => `!(${isOfType(path.slice(0, index + 1), 'array')})`);
  return all([`!exists(${textOf(path)})`, ...told]);
}

function compared(path: ValuePath, operator: ComparisonOperator, constant: Constant): string {
  return `${textOf(path)} ${operator === '=' ? '==' : operator} ${JSON.stringify(constant)}`;
}

function isOfType(path: ValuePath, type: Type | 'array'): string {
  return `${textOf(path)}.type() == "${type}"`;
}

function textOf(path: ValuePath): string {
  return ['$', ...path.map((name) => JSON.stringify(name))].join('.');
}

function isStorable(text: string): boolean {
  return storableText(text) === text;
}
