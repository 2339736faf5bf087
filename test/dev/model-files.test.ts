/** Model files are read by their own encoding, wherever they are read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { sourceFiles } from '../../tools/structure/imports.js';

/** Where users' files are read. */
const ROOMS = /^(?:packages\/|console\/|examples\/|bench\/|tools\/tck)/;
const TEXT_OF_A_FILE = /\breadFile(?:Sync)?\((?:[^;]|\n)*?,\s*['"]utf-?8['"]|\.readAsText\(|\bfile\.text\(\)/;
/** Files that read other texts: profiles, tokens, logs, reports, scripts of libraries, figures of the system, and generated files. */
const OTHER_TEXTS = [
  'bench/cpu.ts',
  'bench/services.ts',
  'console/modeler-copies.ts',
  'packages/cli/access/development-profile.ts',
  'packages/cli/access/profiles.ts',
  'packages/cli/camunda7/log.ts',
  'packages/cli/scenarios/report.ts',
  'packages/testkit/files/coverage-lines.ts',
  'tools/tck-feel.ts',
  'tools/tck.ts',
];

const readsText = (path: string) => TEXT_OF_A_FILE.test(readFileSync(join(repositoryRoot, path), 'utf8'));

test('only files that are known to read other texts read a file as UTF-8 without asking what it is', () => {
  const found = sourceFiles().filter((path) => ROOMS.test(path) && readsText(path));
  expect(
    found.filter((path) => !OTHER_TEXTS.includes(path)),
    'A model file, and JSON of a user, is read with decodeFile (packages/lib/model-files/decode.ts).',
  ).toEqual([]);
});

test.each([
  "readFileSync(path, 'utf8')",
  "await readFile(\n  new URL(name, folder),\n  'utf-8',\n)",
  'await file.text()',
  'reader.readAsText(file)',
])('%s is noticed', (text) => expect(text).toMatch(TEXT_OF_A_FILE));
