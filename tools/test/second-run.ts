/**
 * Files that failed run once more, alone, after all layers. Tests with time limits can miss them on a loaded machine,
 * and say nothing about the product then.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/repository.js';
import { layerOf } from './layers.js';
import type { Failure, Outcome } from './run.js';

/** Imports and calls of a test with a random seed. */
const RANDOM_SEED = /random\/seeds\.js'|'fast-check'|RANDOM_SEED|\brandomInt\(|Math\.random\(/;

export interface SecondRun {
  outcomes: Outcome[];
  /** The first failure of each file that passed in its second run. */
  passedAlone: Failure[];
}

/** A new seed could hide what the first one found, so files with a random seed have one run. */
export function mayRunAgain(file: string): boolean {
  return layerOf(file).name !== 'random' && !RANDOM_SEED.test(readFileSync(join(repositoryRoot, file), 'utf8'));
}

/** @param runAlone runs one file while nothing else runs */
export async function runFailedAgain(
  outcomes: readonly Outcome[],
  runAlone: (file: string) => Promise<Outcome>,
): Promise<SecondRun> {
  const failed = outcomes.flatMap(({ failures }) => failures.map(({ file }) => file));
  const files = [...new Set(failed)].filter((file) => file !== undefined && mayRunAgain(file)) as string[];
  const passing = new Set<string>();
  for (const file of files) if (isGreen(await runAlone(file))) passing.add(file);
  const passes = ({ file }: Failure) => file !== undefined && passing.has(file);
  const all = outcomes.flatMap(({ failures }) => failures);
  return {
    outcomes: outcomes.map(({ passed, failures }) => ({
      passed: passed + failures.filter(passes).length,
      failures: failures.filter((failure) => !passes(failure)),
    })),
    passedAlone: [...passing].map((file) => all.find((failure) => failure.file === file)!),
  };
}

/** A file without any test that ran has not passed. */
function isGreen({ passed, failures }: Outcome): boolean {
  return passed > 0 && failures.length === 0;
}
