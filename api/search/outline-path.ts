/**
 * SQL/JSON path predicates about one value of an outline (`store/outline.ts`), in lax mode: a comparison with a value that
 * is missing or untold (`[]`) is not true, and neither is one between types that cannot be compared. Null equals null only.
 */
import { LONGEST_TOLD } from '../../store/outline.js';
import { storableText } from '../../store/text.js';
import type { ComparisonOperator, Node } from '../../feel/tree.js';

/** What can be told of a part of a predicate. Each is true only where it is sure, so none may be negated. */
export interface Verdicts {
  readonly isTrue: string;
  readonly isFalse: string;
  /** Surely one of the two. */
  readonly isDecided: string;
  readonly isError: string;
}

/** A variable and entries in it. */
export type ValuePath = readonly string[];

export type Constant = null | boolean | number | string;

/** As `type()` names them; `array` stands for what is untold. */
const TYPES = ['null', 'boolean', 'number', 'string', 'object'] as const;
type Type = (typeof TYPES)[number];

const OPPOSITE: Record<ComparisonOperator, ComparisonOperator> = { '=': '!=', '!=': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

/** A variable or a path into one; undefined for everything else, and for names that Postgres cannot hold. */
export function pathOf(node: Node): ValuePath | undefined {
  if (node.kind === 'name') return node.cell === undefined && node.items === undefined && node.builtin !== true && isStorable(node.name) ? [node.name] : undefined;
  if (node.kind !== 'member' || !isStorable(node.name)) return undefined;
  const target = pathOf(node.target);
  return target && [...target, node.name];
}

/** A constant that an outline tells apart from all other values; undefined for everything else. */
export function constantOf(node: Node): Constant | undefined {
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  return typeof value !== 'string' || (value.length <= LONGEST_TOLD && isStorable(value)) ? value : undefined;
}

/** The instance lacks the variable. */
export function lacks(name: string): string {
  return `!exists(${textOf([name])})`;
}

/** `path operator constant`; undefined when SQL may see it in another way than FEEL. */
export function comparisonVerdicts(path: ValuePath, operator: ComparisonOperator, constant: Constant): Verdicts | undefined {
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

/** The value of the path where true or false is needed. */
export function truthVerdicts(path: ValuePath): Verdicts {
  return {
    isTrue: compared(path, '=', true),
    isFalse: compared(path, '=', false),
    isDecided: isOneOf(path, ['boolean']),
    isError: cannotBe(path, ['boolean']),
  };
}

/** True when one of the predicates is. */
export function any(predicates: readonly string[]): string {
  return predicates.map((predicate) => `(${predicate})`).join(' || ');
}

/** True when all of the predicates are. */
export function all(predicates: readonly string[]): string {
  return predicates.map((predicate) => `(${predicate})`).join(' && ');
}

/** FEEL orders strings by UTF-16 unit, Postgres by code point: the same, unless both strings have units above the surrogates. */
function hasSameOrder(constant: Constant): boolean {
  return typeof constant === 'number' || (typeof constant === 'string' && !/[\u{d800}-\u{10ffff}]/u.test(constant));
}

function equalityTypes(constant: Constant): readonly Type[] {
  return constant === null ? TYPES : [typeOf(constant), 'null'];
}

function typeOf(constant: Constant): Type {
  return constant === null ? 'null' : (typeof constant as 'boolean' | 'number' | 'string');
}

/** There is no such value, or it is of another type than these. */
function cannotBe(path: ValuePath, fits: readonly Type[]): string {
  const misfits = TYPES.filter((type) => !fits.includes(type));
  return misfits.length === 0 ? isMissing(path) : any([isMissing(path), isOneOf(path, misfits)]);
}

function isOneOf(path: ValuePath, types: readonly Type[]): string {
  return any(types.map((type) => isOfType(path, type)));
}

/** The path ends before its last name, and not in something untold. That the variable itself is missing, `lacks` tells. */
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
