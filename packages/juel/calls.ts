/** Methods and functions of JUEL that have an equivalent in FEEL. */
import { map } from './optional.js';
import type { Expression } from './parser.js';

type Write = (inner: Expression) => string | undefined;
type Method = (of: string, ...given: string[]) => string;

/** Methods of Java's strings, lists, and maps, by name and number of arguments. */
const METHODS: { readonly [method: string]: Method } = {
  'size/0': (of) => `count(${of})`,
  'length/0': (of) => `string length(${of})`,
  'isEmpty/0': (of) => `list contains(["", [], {}], ${of})`,
  'equals/1': (of, other) => `${of} = ${other}`,
  'equalsIgnoreCase/1': (of, other) => `lower case(${of}) = lower case(${other})`,
  'contains/1': (of, part) =>
    `if ${of} instance of string then contains(${of}, ${part}) else list contains(${of}, ${part})`,
  'containsKey/1': (of, key) => `list contains(get entries(${of}).key, ${key})`,
  'concat/1': (of, other) => `${of} + ${other}`,
  'startsWith/1': (of, start) => `starts with(${of}, ${start})`,
  'endsWith/1': (of, end) => `ends with(${of}, ${end})`,
  'toUpperCase/0': (of) => `upper case(${of})`,
  'toLowerCase/0': (of) => `lower case(${of})`,
  'trim/0': (of) => `trim(${of})`,
  'toString/0': (of) => `string(${of})`,
  'intValue/0': (of) => `(if ${of} < 0 then ceiling(${of}) else floor(${of}))`,
  'booleanValue/0': (of) => of,
};

/** Methods whose result has operators, so that what is around needs parentheses. */
const COMPOUND: ReadonlySet<string> = new Set(['equals/1', 'equalsIgnoreCase/1', 'contains/1', 'concat/1']);

export function methodAsFeel(
  target: Extract<Expression, { kind: 'member' }>,
  given: readonly Expression[],
  write: Write,
): string | undefined {
  const { of, name } = target;
  if (of.kind === 'name' && CONTAINERS.has(of.text)) return ofContainer(name, given);
  const feelOf = write(of);
  if (feelOf === undefined) return undefined;
  if (name === 'get' && given.length === 1) return element(feelOf, given[0]!);
  const property = /^(?:get|is)([A-Z]\w*)$/.exec(name)?.[1];
  const key = `${name}/${given.length}`;
  if (Object.hasOwn(METHODS, key)) {
    const written = given.map(write);
    if (written.includes(undefined)) return undefined;
    const feel = METHODS[key]!(feelOf, ...(written as string[]));
    return COMPOUND.has(key) ? `(${feel})` : feel;
  }
  // The getter of a bean: its property.
  return property !== undefined && given.length === 0 && isData(of)
    ? `${feelOf}.${property[0]!.toLowerCase()}${property.slice(1)}`
    : undefined;
}

/** A getter of a variable may as well be a method of a bean, which only the project knows; a longer path is data. */
function isData(of: Expression): boolean {
  return of.kind === 'member' || of.kind === 'index' || of.kind === 'call';
}

function element(of: string, at: Expression): string | undefined {
  if (at.kind === 'string') return `get value(${of}, ${JSON.stringify(at.text)})`;
  return at.kind === 'number' ? `${of}[${Number(at.text) + 1}]` : undefined;
}

/** Objects that give access to the variables. */
const CONTAINERS: ReadonlySet<string> = new Set(['execution', 'task', 'caseExecution', 'variableContainer']);

/** Variables by name: `execution.getVariable("x")`. */
function ofContainer(name: string, [variable, ...more]: readonly Expression[]): string | undefined {
  if (variable?.kind !== 'string' || more.length > 0 || !/^[A-Za-z_]\w*$/.test(variable.text)) return undefined;
  if (name === 'getVariable' || name === 'getVariableLocal') return variable.text;
  return name === 'hasVariable' || name === 'hasVariableLocal' ? `is defined(${variable.text})` : undefined;
}

/** A variable that does not exist may only be read where it is known to. */
function exists(variable: string): string {
  return `if is defined(${variable}) then ${variable} != null else false`;
}

type VariableFunction = (variable: string, ...given: string[]) => string;

/** Flowable's functions on variables: https://documentation.flowable.com, "Expression functions". */
const VARIABLE_FUNCTIONS: { readonly [name: string]: VariableFunction } = {
  'get/1': (variable) => variable,
  'getOrDefault/2': (variable, otherwise) =>
    `(if is defined(${variable}) then if ${variable} = null then ${otherwise} else ${variable} else ${otherwise})`,
  'exists/1': (variable) => `(${exists(variable)})`,
  'exist/1': (variable) => `(${exists(variable)})`,
  'isEmpty/1': (variable) => `list contains([null, "", [], {}], ${variable})`,
  'empty/1': (variable) => `list contains([null, "", [], {}], ${variable})`,
  'isNotEmpty/1': (variable) => `not(list contains([null, "", [], {}], ${variable}))`,
  'notEmpty/1': (variable) => `not(list contains([null, "", [], {}], ${variable}))`,
  'equals/2': (variable, value) => `(${variable} = ${value})`,
  'eq/2': (variable, value) => `(${variable} = ${value})`,
  'notEquals/2': (variable, value) => `(${variable} != ${value})`,
  'ne/2': (variable, value) => `(${variable} != ${value})`,
  'lowerThan/2': (variable, value) => `(${variable} < ${value})`,
  'lessThan/2': (variable, value) => `(${variable} < ${value})`,
  'lt/2': (variable, value) => `(${variable} < ${value})`,
  'lowerThanOrEquals/2': (variable, value) => `(${variable} <= ${value})`,
  'lessThanOrEquals/2': (variable, value) => `(${variable} <= ${value})`,
  'lte/2': (variable, value) => `(${variable} <= ${value})`,
  'greaterThan/2': (variable, value) => `(${variable} > ${value})`,
  'gt/2': (variable, value) => `(${variable} > ${value})`,
  'greaterThanOrEquals/2': (variable, value) => `(${variable} >= ${value})`,
  'gte/2': (variable, value) => `(${variable} >= ${value})`,
  'contains/2': (variable, value) => `list contains(${variable}, ${value})`,
};

const VARIABLE_PREFIX = /^(?:variables|vars|var):(\w+)$/;

export function functionAsFeel(target: Expression, given: readonly Expression[], write: Write): string | undefined {
  const name = target.kind === 'name' ? VARIABLE_PREFIX.exec(target.text)?.[1] : undefined;
  const known = name === undefined ? undefined : VARIABLE_FUNCTIONS[`${name}/${given.length}`];
  const [variable, ...rest] = given;
  if (!known || !variable) return undefined;
  // The name of the variable, as a name or as a string.
  const feel =
    variable.kind === 'string' ? (/^[A-Za-z_]\w*$/.test(variable.text) ? variable.text : undefined) : write(variable);
  const written = rest.map(write);
  return written.includes(undefined) ? undefined : map(feel, (own) => known(own, ...(written as string[])));
}
