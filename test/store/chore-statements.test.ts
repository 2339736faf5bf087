/** Statements of background chores must not grow with the tables: one that exceeds its timeout never makes progress. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

/** Changes without a limit in the same text, by file and table, and why their size is bounded. */
const allowed: Record<string, string> = {
  'store/messages/matching.ts: ${table}': 'rows of one channel, of which a refused match keeps all',
  'store/messages/start-timers.ts: start_timers': 'timers of a project that a request deletes',
  'store/processes/older-instances.ts: counting_processes': 'the row of one process, by its key',
  'store/processes/queue.ts: process_settings': 'the row of one process, by its key',
  'store/projects/idempotency.ts: idempotency_keys': 'the row of one request, by its key',
  'store/statistics/fold.ts: statistics_progress': 'has one row',
  'store/statistics/fold.ts: ${table}': 'a command for administrators, no chore',
  'store/work/limits/limits.ts: job_limits': 'the row of one task type, by its key',
  'store/work/limits/limits.ts: limit_groups': 'a request of an administrator, no chore',
};

/** A change of rows whose keys are parameters: the caller chose how many. */
const byKey = /\b(id|workflow_id|definition_id|blocker) = \$\d|= ANY ?\(\$\d|unnest\(\$\d/;

const choreFolders = ['worker/chores', 'worker/erasure', 'worker/reconciler', 'worker/schedules'];
const choreFiles = [
  'worker/outbox-relay.ts',
  ...choreFolders.flatMap((folder) => readdirSync(join(repositoryRoot, folder)).map((name) => `${folder}/${name}`)),
];

/** Files of the store that the chores call. */
function storeFiles(): string[] {
  const imported = choreFiles.flatMap((file) =>
    [...read(file).matchAll(/^import (?!type)[^;]*?'(\.[^']*\/store\/[^']*)\.js';/gms)].map(([, from]) =>
      relative(repositoryRoot, join(repositoryRoot, dirname(file), `${from}.ts`)),
    ),
  );
  return [...new Set(imported)].toSorted();
}

function read(file: string): string {
  return readFileSync(join(repositoryRoot, file), 'utf8');
}

/** Tables that a text in the file changes without a limit. */
function unlimited(file: string): string[] {
  const texts = read(file).matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g);
  return [...texts]
    .map(([text]) => text)
    .filter((text) => !text.includes('LIMIT') && !byKey.test(text))
    .flatMap((text) => [...text.matchAll(/\b(?:DELETE FROM|UPDATE) (?!SET\b|OF\b|SKIP\b)([\w${}]+)/g)])
    .map(([, table]) => `${file}: ${table}`);
}

test('every DELETE and UPDATE that a chore runs has a limit, takes its keys from the caller, or has a reason', () => {
  const files = storeFiles();
  expect(files.length).toBeGreaterThan(20);
  const found = new Set(files.flatMap(unlimited));
  expect(
    [...found].filter((change) => !(change in allowed)),
    'Add a LIMIT and repeat the statement, or add the reason to this test',
  ).toEqual([]);
  expect(Object.keys(allowed).filter((change) => !found.has(change))).toEqual([]);
});
