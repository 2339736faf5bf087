/** What `npm test` does in short and a script of package.json does at length: neither may lose a test to the other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { testFiles } from '../../tools/test/layers.js';

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Variables that change what a run writes or prints, not how much it plays. */
const notLengths = new Set([
  'ACCEPT_GOLDEN',
  'CONFORMANCE',
  'PATH',
  'PERDURE_KEEP_HISTORIES',
  'PERDURE_SCREENSHOTS',
  'PERDURE_TEST_STACK',
  'RANDOM_SEED',
]);

interface LongerRun {
  name: string;
  variables: string[];
  files: string[];
}

const longerRuns = Object.entries(scripts).flatMap(([name, script]): LongerRun[] => {
  const [, assignments, paths] = /^(.*?)exec vitest run((?: test\/\S+)+)$/.exec(script) ?? [];
  const variables = [...(assignments ?? '').matchAll(/(\w+)=/g)]
    .map(([, variable]) => variable!)
    .filter((variable) => !notLengths.has(variable));
  if (paths === undefined || variables.length === 0) return [];
  const files = paths.trim().split(' ');
  return [{ name, variables, files: testFiles().filter((file) => files.some((path) => file.startsWith(path))) }];
});

/** By file, the variables that say how much it plays, each with a default. */
function lengthsIn(file: string): string[] {
  const source = readFileSync(join(repositoryRoot, file), 'utf8');
  const named = [...source.matchAll(/process\.env\['(\w+)'\]|\bchosen\('(\w+)'/g)].map(
    ([, variable, other]) => (variable ?? other)!,
  );
  if (/\bscaled?\(/.test(source)) named.push('RANDOM_SCALE');
  return [...new Set(named)].filter((variable) => !notLengths.has(variable));
}

it.each(longerRuns)('npm run $name plays at length what npm test plays in short', ({ variables, files }) => {
  expect(files).not.toEqual([]);
  const read = new Set(files.flatMap(lengthsIn));
  expect(variables.filter((variable) => !read.has(variable))).toEqual([]);
});

it('every test with a variable length is in a longer run', () => {
  const inLongerRun = (file: string, variable: string) =>
    longerRuns.some(({ files, variables }) => files.includes(file) && variables.includes(variable));
  const forgotten = testFiles().flatMap((file) =>
    lengthsIn(file)
      .filter((variable) => !inLongerRun(file, variable))
      .map((variable) => `${file} reads ${variable}`),
  );
  expect(forgotten).toEqual([]);
});
