/**
 * Runs the plain FEEL expressions of the DMN TCK: `node dist/tools/tck-feel.js <feel-cases.json>`.
 *
 * The file is a list of `{id, expression, context, expected, errorResult, typeRef}`, where `{"@feel": type, "value":
 * text}` represents a typed value. Prints the passed and total numbers per folder, and each failure.
 */
import { readFileSync } from 'node:fs';
import { isNumber, toDouble } from '@perdure/feel/values/decimal.js';
import { compile, evaluate, toJson } from '@perdure/feel/evaluate.js';
import { parseFeel } from '@perdure/feel/parse.js';
import { coerce, simpleType } from '@perdure/feel/values/types.js';
import { parseTemporal } from '@perdure/feel/temporal/parse.js';
import { isContext, type FeelValue } from '@perdure/feel/values/values.js';

interface Case {
  id: string;
  expression: string;
  context: Record<string, unknown>;
  expected: unknown;
  typeRef: string | null;
}

/** Relative tolerance for the expected numbers, which have about fourteen digits. */
const TOLERANCE = 1e-8;

function readTyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readTyped);
  if (typeof value !== 'object' || value === null) return value;
  if ('@feel' in value && 'value' in value) return parseTemporal(String(value.value)) ?? String(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, readTyped(entry)]));
}

function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    Array.isArray(value) ? keysOf(entry) : [key, ...keysOf(entry)],
  );
}

function agree(actual: FeelValue, expected: unknown): boolean {
  if (typeof expected === 'number' && isNumber(actual)) {
    const value = toDouble(actual);
    return (
      value === expected || Math.abs(value - expected) <= TOLERANCE * Math.max(Math.abs(value), Math.abs(expected))
    );
  }
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => agree(actual[index] ?? null, item))
    );
  if (isContext(actual) && typeof expected === 'object' && expected !== null) {
    const keys = Object.keys(expected);
    return (
      Object.keys(actual).length === keys.length &&
      keys.every((key) => agree(actual[key] ?? null, (expected as Record<string, unknown>)[key]))
    );
  }
  if (typeof expected === 'object' && expected !== null)
    return String(actual) === String(expected) && actual?.constructor === expected.constructor;
  return actual === expected;
}

function run({ expression, context, typeRef }: Case): FeelValue | string {
  const parsed = parseFeel(expression, { names: keysOf(context) });
  if (!parsed.ok) return `does not parse: ${parsed.errors.map(({ message }) => message).join(' ')}`;
  const variables = readTyped(context) as Record<string, unknown>;
  const result = evaluate(compile(parsed.tree), variables, { now: Date.now(), mode: 'lenient' });
  if (!result.ok) return `fails: ${result.error.code} ${result.error.message}`;
  const type = typeRef === null ? undefined : simpleType(typeRef);
  return type === undefined ? result.value : (coerce(result.value, type) ?? null);
}

const path = process.argv[2];
if (path === undefined) {
  process.stderr.write('Usage: node dist/tools/tck-feel.js <feel-cases.json>\n');
  process.exit(2);
}
const folders = new Map<string, { passed: number; total: number }>();
for (const item of JSON.parse(readFileSync(path, 'utf8')) as Case[]) {
  const folder = item.id.split('/').slice(0, 2).join('/');
  const tally = folders.get(folder) ?? { passed: 0, total: 0 };
  folders.set(folder, tally);
  tally.total += 1;
  const expected = readTyped(item.expected);
  const actual = run(item);
  if (agree(actual as FeelValue, expected)) tally.passed += 1;
  else
    process.stdout.write(
      `FAILED ${item.id}\n  ${item.expression}\n  expected ` +
        `${JSON.stringify(toJson(expected as FeelValue))}, got ` +
        `${JSON.stringify(toJson(actual as FeelValue))}\n`,
    );
}
for (const [folder, { passed, total }] of folders) process.stdout.write(`${folder} ${passed}/${total}\n`);
const tallies = [...folders.values()];
process.stdout.write(
  `total ${tallies.reduce((sum, { passed }) => sum + passed, 0)}` +
    `/${tallies.reduce((sum, { total }) => sum + total, 0)}\n`,
);
