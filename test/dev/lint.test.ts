import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

/** A tree with our lint configuration, where rules may be broken. All of it is linted once: each start takes as long. */
let folder: string;
/** The files of the tree by their paths, each with the code of one test. */
const tree = new Map<string, string>();
/** The rules that each file breaks. */
const broken = new Map<string, string[]>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-lint-'));
  copyFileSync(join(repositoryRoot, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const name of ['tools', 'node_modules']) symlinkSync(join(repositoryRoot, name), join(folder, name));
  for (const [file, code] of tree) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), `${code}\n`);
  }
  for (const { code: rule, filename } of await lint()) broken.set(filename, [...(broken.get(filename) ?? []), rule]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lint(): Promise<{ code: string; filename: string }[]> {
  const oxlint = join(repositoryRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [oxlint, '--format=json', ...tree.keys()], { cwd: folder }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  return JSON.parse(output).diagnostics;
}

/** A test that linting `code`, in the folder of `file`, finds these rules broken. */
function expectBroken(title: string, { file, code, rules }: { file: string; code: string; rules: unknown[] }): void {
  const path = `${dirname(file)}/case-${tree.size}.ts`;
  tree.set(path, code);
  it(title, () => expect(broken.get(path) ?? []).toEqual(rules));
}

for (const [file, code] of [
  ['packages/engine/elements/task.ts', "export { a } from '../../../store/a.js';"],
  ['packages/engine/step.ts', "export { a } from '@temporalio/workflow';"],
  ['packages/engine/behaviors/a.ts', "export { a } from '../elements/b.js';"],
  ['packages/feel/run.ts', "export { a } from '@perdure/engine/a.js';"],
  ['packages/lib/a.ts', "export { a } from '@perdure/client';"],
  ['api/a.ts', "export { a } from '../packages/lib/failure.js';"],
  ['packages/dmn/a.ts', "export { a } from '../feel/a.js';"],
  ['packages/bpmn/compile/compile.ts', "export { a } from '../../../api/a.js';"],
  ['workflows/a.ts', "export { a } from '../activities/a.js';"],
  ['store/a.ts', "export { a } from '../packages/engine/step.js';"],
  ['api/operations/a/b.ts', "export { a } from '../../../workflows/process-instance.js';"],
  ['a-new-folder/a.ts', 'export const a = 1;'],
] as const)
  expectBroken(`refuses in ${file} the line ${code}`, { file, code, rules: ['perdure(import-direction)'] });

for (const pattern of ['/^\\s*=?\\s*$/', '/,(?=(?:[^"]*"[^"]*")*[^"]*$)/', '/\\/+$/', '/^(a+)+$/'])
  expectBroken(`refuses the pattern ${pattern}, whose time is not linear`, {
    file: 'api/a.ts',
    code: `export const a = ${pattern};`,
    rules: ['perdure(linear-patterns)'],
  });
expectBroken('allows patterns whose time is linear', {
  file: 'api/a.ts',
  code: 'export const a = [/^\\s*=$/, /(?<!\\/)\\/+$/, /^(?:a|b)+$/];',
  rules: [],
});

for (const [file, code] of [
  ['packages/engine/elements/task.ts', "export { a } from '@perdure/feel/a.js';"],
  ['workflows/a.ts', "export type { A } from '../activities/a.js';"],
  ['store/a.ts', "export { a } from '@perdure/engine/apply.js';"],
  ['test/a.ts', "export { a } from '../packages/testkit/memory-host.js';"],
  ['api/operations/a/b.ts', "export { a } from '../../../workflows/messages.js';"],
] as const)
  expectBroken(`allows in ${file} the line ${code}`, { file, code, rules: [] });

for (const code of [
  'export let a = 1;\na = 2;',
  'export const a = new Map();',
  'const a = new WeakSet();\nexport const b = () => a;',
] as const)
  expectBroken(`refuses state of a module of the interpreter: ${code}`, {
    file: 'packages/engine/a.ts',
    code,
    rules: ['perdure(no-module-state)'],
  });

for (const expression of [
  'Date.now()',
  'new Date(0)',
  'Math.random()',
  'new Intl.NumberFormat()',
  'setTimeout(() => 1, 1)',
  'process.env',
] as const)
  expectBroken(`keeps ${expression} out of the interpreter`, {
    file: 'packages/engine/a.ts',
    code: `export const a = () => ${expression};`,
    rules: [expect.stringMatching(/no-restricted-(globals|properties)/)],
  });

for (const expression of [
  'workflowInfo().runStartTime',
  "workflowInfo()['startTime']",
  '(({ startTime: began }) => began)(workflowInfo())',
] as const)
  expectBroken(`keeps ${expression} out of workflows`, {
    file: 'workflows/a.ts',
    code: `import { workflowInfo } from '@temporalio/workflow';\nexport const a = () => ${expression};`,
    rules: ['perdure(no-run-times)'],
  });

for (const [where, code] of [
  ['a comment', '/** Kept for ever. */\nexport const a = 1;'],
  ['lines of comments that belong together', '// A run goes\n// on.\nexport const a = 1;'],
  ['a text', "export const a = 'kept for ever';"],
  ['a text with values', 'export const a = (b: string) => `${b} is kept for ever`;'],
] as const)
  expectBroken(`refuses a word of the list in ${where}`, { file: 'api/a.ts', code, rules: ['perdure(words)'] });

for (const [why, file, code] of [
  ['allowed', 'api/a.ts', '// Kept for ever. prose-ok: for-ever\nexport const a = 1;'],
  ['SQL', 'api/a.ts', "export const a = 'SELECT 1 AS told of';"],
] as const)
  expectBroken(`passes a word of the list that is ${why}`, { file, code, rules: [] });
