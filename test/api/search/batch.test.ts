import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { evaluateBatch } from '../../../api/search/evaluation.js';
import { readPredicate } from '../../../api/search/predicate.js';
import { countBatch, type SearchBatch } from '../../../api/search/batch.js';
import { searchBatches } from '../../../store/search/search.js';
import { projectID, useStore } from '../../store/support/store.js';

const store = useStore();
const definitionID = randomUUID();

const INSTANCES = 12_000;

// Every other instance is untold and has to be evaluated; one of a thousand is an error, one of three thousand a match.
beforeAll(() =>
  store.database.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, variables, search_summary)
     SELECT id, id, $1, $2, json_build_object('n', value), jsonb_build_object('n', CASE n % 2 WHEN 0 THEN '[]' ELSE value END)
     FROM (SELECT gen_random_uuid()::text AS id, n, CASE WHEN n % 1000 = 1 THEN '"text"' WHEN n % 3000 = 2 THEN '7' ELSE '0' END::jsonb AS value FROM generate_series(1, $3::int) n) AS made`,
    [projectID, definitionID, INSTANCES],
  ),
);

interface Options {
  readonly size?: number;
  readonly maxMatches?: number;
  readonly wantsError?: boolean;
}

async function batchesOf({ size = INSTANCES, maxMatches = 200, wantsError = false }: Options): Promise<SearchBatch[]> {
  const predicate = 'n > 5';
  const read = readPredicate(predicate);
  if (!read.ok) throw new Error(`${predicate} is not valid`);
  const { names, prefilter } = read;
  const batches: SearchBatch[] = [];
  const next = async () => {
    const [below, isEnd] = [batches.at(-1)?.last ?? 1e15, batches.at(-1)?.isEnd];
    return isEnd ? undefined : { names, prefilter, below, size, wantsError, milliseconds: 60_000 };
  };
  for await (const batch of searchBatches(store.database, { projectID, definitionID }, next)) {
    const work = { predicate, now: 0, candidates: batch.text, maxMatches, milliseconds: 60_000 };
    batches.push(countBatch(batch, evaluateBatch(work), maxMatches));
  }
  return batches;
}

const sum = (batches: readonly SearchBatch[], of: (batch: SearchBatch) => number) =>
  batches.reduce((total, batch) => total + of(batch), 0);

test.each([{ wantsError: false }, { wantsError: true }])(
  'a batch that leaves more than is evaluated at once ends early, and nothing is counted twice or not at all (%j)',
  async (options) => {
    const batches = await batchesOf(options);
    expect(batches.length).toBeGreaterThan(1);
    expect(sum(batches, ({ predicateErrors }) => predicateErrors)).toBe(12);
    expect(sum(batches, ({ evaluated }) => evaluated)).toBe(INSTANCES - 12);
    expect(sum(batches, ({ matches }) => matches.length)).toBe(4);
    expect(batches.map(({ isEnd }) => isEnd)).toEqual(batches.map((_, index) => index === batches.length - 1));
    expect(batches[0]!.firstPredicateError).toEqual(options.wantsError ? expect.stringContaining('string') : undefined);
  },
);

test('a batch ends with the match that fills the page', async () => {
  const batches = await batchesOf({ maxMatches: 1, wantsError: true, size: 5000 });
  expect(sum(batches, ({ evaluated, predicateErrors }) => evaluated + predicateErrors)).toBe(INSTANCES);
  for (const { matches, last } of batches)
    if (matches.length > 0) expect(matches.map(({ number }) => number)).toEqual([last]);
  expect(sum(batches, ({ matches }) => matches.length)).toBe(4);
});
