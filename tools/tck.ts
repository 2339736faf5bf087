/**
 * Runs test cases of the DMN TCK: `npm run tck -- <folder with TestCases> [--report docs/conformance.md]`.
 *
 * Prints the passed and total numbers for each level and folder, and each failure; with `--report`, writes them between
 * the markers of that file.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { compileModel } from '@perdure/dmn/compile/index.js';
import { LoadedModel, type ElementResult } from '@perdure/dmn/evaluate/index.js';
import { attributeOf, childOf, childrenOf, type XmlElement } from '@perdure/dmn/xml/element.js';
import { readXml } from '@perdure/dmn/xml/read.js';
import { isRefusal } from '@perdure/xml/refusal.js';
import { isNumber, parseNumber, toDouble } from '@perdure/feel/values/decimal.js';
import { toJson } from '@perdure/feel/evaluate.js';
import { parseTemporal } from '@perdure/feel/temporal/parse.js';
import { entryOf, isContext, setEntry, type FeelContext, type FeelValue } from '@perdure/feel/values/values.js';
import { decodeFile } from '@perdure/lib/model-files/decode.js';

/** Relative tolerance for the expected numbers, which have about fourteen digits. */
const TOLERANCE = 1e-8;

interface Failure {
  test: string;
  reason: string;
}

interface Tally {
  passed: number;
  total: number;
}

interface Report {
  /** By level and folder. */
  folders: Map<string, Tally>;
  failures: Failure[];
}

/** The value in an `inputNode`, `expected`, `item`, or `component`. */
function readValue(holder: XmlElement): FeelValue {
  const list = childOf(holder, 'list');
  if (list !== undefined) return childrenOf(list, 'item').map(readValue);
  const components = childrenOf(holder, 'component');
  if (components.length > 0) {
    const context: FeelContext = {};
    for (const component of components) setEntry(context, component.attributes.get('name') ?? '', readValue(component));
    return context;
  }
  const value = childOf(holder, 'value');
  return value === undefined || attributeOf(value, 'nil') === 'true' ? null : readSimple(value);
}

function readSimple(value: XmlElement): FeelValue {
  const type = attributeOf(value, 'type')?.split(':').at(-1) ?? 'string';
  const text = value.text.trim();
  if (type === 'boolean') return text === 'true';
  if (type === 'string') return value.text;
  if (['decimal', 'double', 'integer', 'float', 'int', 'long'].includes(type))
    return parseNumber(text) ?? Number(text.replace('INF', 'Infinity'));
  return parseTemporal(text) ?? text;
}

function agree(actual: FeelValue, expected: FeelValue): boolean {
  if (isNumber(expected) && isNumber(actual)) {
    const [a, b] = [toDouble(actual), toDouble(expected)];
    return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => agree(actual[index] ?? null, item))
    );
  if (isContext(expected)) {
    const keys = Object.keys(expected);
    return (
      isContext(actual) &&
      Object.keys(actual).length === keys.length &&
      keys.every((key) => agree(entryOf(actual, key) ?? null, expected[key] ?? null))
    );
  }
  if (typeof expected === 'object' && expected !== null)
    return String(actual) === String(expected) && actual?.constructor === expected.constructor;
  return actual === expected;
}

/** All files below a folder with this file name ending. */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return filesBelow(path, ending);
      return name.endsWith(ending) ? [path] : [];
    });
}

function loadModel(folder: string, name: string): LoadedModel | string {
  const others = filesBelow(folder, '.dmn')
    .filter((path) => basename(path) !== name)
    .map((path) => decodeFile(readFileSync(path), path));
  const { model, problems } = compileModel(decodeFile(readFileSync(join(folder, name)), name), others);
  return model === undefined ? `the model cannot be read: ${problems[0]?.message}` : new LoadedModel(model);
}

/** The result of the model for one result node. */
function evaluateNode(
  model: LoadedModel,
  test: XmlElement,
  node: XmlElement,
  given: FeelContext,
): FeelValue | undefined {
  const name = node.attributes.get('name') ?? '';
  const invocable = test.attributes.get('invocableName');
  const result = model.evaluateOne(invocable ?? name, given, { now: Date.now(), mode: 'lenient' });
  if (result === undefined) return undefined;
  return invocable !== undefined && invocable !== name && hasSeveralOutputs(result) && isContext(result.value)
    ? (entryOf(result.value, name) ?? null)
    : (result.value ?? null);
}

function hasSeveralOutputs({ element }: ElementResult): boolean {
  return element.kind === 'decision service' && element.outputs.length > 1;
}

/** The reason why a test case fails, or undefined. */
function runCase(model: LoadedModel, test: XmlElement): string | undefined {
  const given: FeelContext = {};
  for (const input of childrenOf(test, 'inputNode'))
    setEntry(given, input.attributes.get('name') ?? '', readValue(input));
  for (const node of childrenOf(test, 'resultNode')) {
    const expectedHolder = childOf(node, 'expected');
    const expected = expectedHolder === undefined ? null : readValue(expectedHolder);
    const actual = evaluateNode(model, test, node, given);
    const name = node.attributes.get('name') ?? '';
    if (actual === undefined) return `there is no decision or decision service "${name}"`;
    if (!agree(actual, expected))
      return `"${name}" should be ${JSON.stringify(toJson(expected))}, but is ${JSON.stringify(toJson(actual))}`;
  }
  return undefined;
}

function runFile(path: string, root: string, report: Report): void {
  const xml = readXml(decodeFile(readFileSync(path), path));
  if (isRefusal(xml) || xml.name !== 'testCases') return;
  const folder = dirname(path);
  const key = relative(root, folder);
  const model = loadModel(folder, childOf(xml, 'modelName')?.text.trim() ?? '');
  const tally = report.folders.get(key) ?? { passed: 0, total: 0 };
  report.folders.set(key, tally);
  for (const test of childrenOf(xml, 'testCase')) {
    tally.total += 1;
    const reason = typeof model === 'string' ? model : runCase(model, test);
    if (reason === undefined) tally.passed += 1;
    else report.failures.push({ test: `${key} ${test.attributes.get('id') ?? ''}`, reason });
  }
}

function sum(tallies: Iterable<Tally>): Tally {
  const total = { passed: 0, total: 0 };
  for (const tally of tallies) {
    total.passed += tally.passed;
    total.total += tally.total;
  }
  return total;
}

function byLevel({ folders }: Report): Map<string, Tally> {
  const levels = new Map<string, Tally[]>();
  for (const [folder, tally] of folders) {
    const level = folder.split('/')[0] as string;
    levels.set(level, [...(levels.get(level) ?? []), tally]);
  }
  return new Map([...levels].map(([level, tallies]) => [level, sum(tallies)]));
}

function print(report: Report): void {
  const lines = [...report.folders].map(([folder, { passed, total }]) => `${folder} ${passed}/${total}`);
  for (const { test, reason } of report.failures) lines.push(`FAILED ${test}: ${reason}`);
  for (const [level, { passed, total }] of byLevel(report)) lines.push(`${level} ${passed}/${total}`);
  const { passed, total } = sum(report.folders.values());
  process.stdout.write(`${lines.join('\n')}\ntotal ${passed}/${total}\n`);
}

const BEGIN = '<!-- tck begin -->';
const END = '<!-- tck end -->';

/** Replaces the text between the markers of a file. */
function writeReport(path: string, report: Report): void {
  const { passed, total } = sum(report.folders.values());
  const rows = [...byLevel(report), ['total', { passed, total }] as const].map(
    ([level, tally]) => `| ${level} | ${tally.passed} | ${tally.total} |`,
  );
  const failures = report.failures.map(({ test, reason }) => `| ${test} | ${reason.replaceAll('|', '\\|')} |`);
  const section = [
    BEGIN,
    `Last run over ${report.folders.size} folders:`,
    '',
    '| level | passed | of |',
    '|---|---|---|',
    ...rows,
    '',
    ...(failures.length === 0 ? ['No case fails.'] : ['| failing case | what happens |', '|---|---|', ...failures]),
    END,
  ].join('\n');
  const before = readFileSync(path, 'utf8');
  const [from, to] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${path} does not contain the lines ${BEGIN} and ${END}`);
  writeFileSync(path, before.slice(0, from) + section + before.slice(to + END.length));
}

const [root, option, target] = process.argv.slice(2);
if (root === undefined || (option !== undefined && (option !== '--report' || target === undefined))) {
  process.stderr.write('Usage: npm run tck -- <folder with test cases> [--report FILE]\n');
  process.exit(2);
}
const report: Report = { folders: new Map(), failures: [] };
for (const path of filesBelow(root, '.xml')) runFile(path, root, report);
print(report);
if (target !== undefined) writeReport(target, report);
