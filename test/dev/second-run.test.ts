/** The second run of files that failed while other files ran. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { importsOf, sourceFiles } from '../../tools/structure/imports.js';
import { testFiles } from '../../tools/test/layers.js';
import type { Failure, Outcome } from '../../tools/test/run.js';
import { mayRunAgain, runFailedAgain } from '../../tools/test/second-run.js';

const SLOW = 'test/cli/batches.test.ts';
const WRONG = 'test/dev/failures.test.ts';
const RANDOM = 'test/engine/random/random-models.test.ts';

const failure = (file: string, test = 'fails'): Failure => ({ file, line: `${file} > ${test}: too late` });

/** A second run in which every file passes but the wrong ones. */
async function runAgain(failures: Failure[], wrong: string[] = []) {
  const played: string[] = [];
  const runAlone = async (file: string): Promise<Outcome> => {
    played.push(file);
    return wrong.includes(file) ? { passed: 1, failures: [failure(file)] } : { passed: 2, failures: [] };
  };
  const { outcomes, passedAlone } = await runFailedAgain([{ passed: 10, failures }], runAlone);
  return { played, outcomes, passedAlone };
}

describe('a file that failed', () => {
  it('and passes alone does not fail the run, but is reported with its first error', async () => {
    const failures = [failure(SLOW, 'waits'), failure(SLOW, 'ends')];
    expect(await runAgain(failures)).toEqual({
      played: [SLOW],
      outcomes: [{ passed: 12, failures: [] }],
      passedAlone: [failure(SLOW, 'waits')],
    });
  });

  it('and fails alone as well is a failure with its first error', async () => {
    const { outcomes, passedAlone } = await runAgain([failure(SLOW), failure(WRONG)], [WRONG]);
    expect(outcomes).toEqual([{ passed: 11, failures: [failure(WRONG)] }]);
    expect(passedAlone).toEqual([failure(SLOW)]);
  });

  it('and has no test that runs alone is a failure', async () => {
    const failures = [failure(SLOW)];
    const outcomes = [{ passed: 10, failures }];
    expect(await runFailedAgain(outcomes, async () => ({ passed: 0, failures: [] }))).toEqual({
      outcomes,
      passedAlone: [],
    });
  });

  it('and tries random models has no second run, in which a new seed could hide the finding', async () => {
    expect(await runAgain([failure(RANDOM)])).toEqual({
      played: [],
      outcomes: [{ passed: 10, failures: [failure(RANDOM)] }],
      passedAlone: [],
    });
  });
});

it('a failure outside of the tests has no second run', async () => {
  const failures = [{ line: 'Lint' }, { line: 'An error outside of the tests: lost' }];
  expect(await runAgain(failures)).toEqual({ played: [], outcomes: [{ passed: 10, failures }], passedAlone: [] });
});

it('every file that reaches a random seed has one run only', () => {
  const importers = new Map<string, string[]>();
  for (const { from, to, isType } of importsOf(sourceFiles()))
    if (!isType) importers.set(to, [...(importers.get(to) ?? []), from]);
  const reaching = new Set(['test/engine/random/seeds.ts']);
  for (const file of testFiles())
    if (readFileSync(join(repositoryRoot, file), 'utf8').includes("'fast-check'")) reaching.add(file);
  for (const file of reaching) for (const importer of importers.get(file) ?? []) reaching.add(importer);
  const files = testFiles().filter((file) => reaching.has(file));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(mayRunAgain)).toEqual([]);
});
