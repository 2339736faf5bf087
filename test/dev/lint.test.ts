import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

/** A tree with our lint configuration, where rules may be broken. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perdure-lint-'));
  copyFileSync(join(repositoryRoot, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const name of ['tools', 'node_modules']) symlinkSync(join(repositoryRoot, name), join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function lint(file: string, code: string): Promise<string[]> {
  mkdirSync(join(folder, dirname(file)), { recursive: true });
  writeFileSync(join(folder, file), `${code}\n`);
  const oxlint = join(repositoryRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [oxlint, '--format=json', file], { cwd: folder }, (_error, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string }[] };
  return diagnostics.map(({ code: rule }) => rule);
}

it.each([
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
])('refuses in %s the line %s', async (file, code) => {
  expect(await lint(file, code)).toEqual(['perdure(import-direction)']);
});

it.each([
  ['packages/engine/elements/task.ts', "export { a } from '@perdure/feel/a.js';"],
  ['workflows/a.ts', "export type { A } from '../activities/a.js';"],
  ['store/a.ts', "export { a } from '@perdure/engine/apply.js';"],
  ['test/a.ts', "export { a } from '../packages/testkit/memory-host.js';"],
  ['api/operations/a/b.ts', "export { a } from '../../../workflows/messages.js';"],
])('allows in %s the line %s', async (file, code) => {
  expect(await lint(file, code)).toEqual([]);
});

it.each([
  'export let a = 1;\na = 2;',
  'export const a = new Map();',
  'const a = new WeakSet();\nexport const b = () => a;',
])('refuses state of a module of the interpreter: %s', async (code) => {
  expect(await lint('packages/engine/a.ts', code)).toEqual(['perdure(no-module-state)']);
});

it.each([
  'Date.now()',
  'new Date(0)',
  'Math.random()',
  'new Intl.NumberFormat()',
  'setTimeout(() => 1, 1)',
  'process.env',
])('keeps %s out of the interpreter', async (expression) => {
  expect(await lint('packages/engine/a.ts', `export const a = () => ${expression};`)).toEqual([
    expect.stringMatching(/no-restricted-(globals|properties)/),
  ]);
});

it.each([
  ['a comment', '/** Kept for ever. */\nexport const a = 1;'],
  ['lines of comments that belong together', '// A run goes\n// on.\nexport const a = 1;'],
  ['a text', "export const a = 'kept for ever';"],
  ['a text with values', 'export const a = (b: string) => `${b} is kept for ever`;'],
])('refuses a word of the list in %s', async (_where, code) => {
  expect(await lint('api/a.ts', code)).toEqual(['perdure(words)']);
});

it.each([
  ['allowed', 'api/a.ts', '// Kept for ever. prose-ok: for-ever\nexport const a = 1;'],
  ['SQL', 'api/a.ts', "export const a = 'SELECT 1 AS told of';"],
  ['in a test', 'test/a.ts', "export const a = 'kept for ever';"],
])('passes a word of the list that is %s', async (_why, file, code) => {
  expect(await lint(file, code)).toEqual([]);
});
