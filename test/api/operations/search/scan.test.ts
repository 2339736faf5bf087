import { FairTurns } from '@perdure/lib/fair-turns.js';
import { expect, test } from 'vitest';
import { scan } from '../../../../api/search/scan.js';

test('a search that was given up while it waited for its turn reads nothing', async () => {
  const store = { connect: () => Promise.reject(new Error('it reads')) } as never;
  const request = {
    predicate: 'true',
    names: [],
    now: 0,
    prefilter: undefined,
    below: 9,
    filter: { projectID: 'p', definitionID: 'd' },
    limit: 20,
    deadlineMilliseconds: 30_000,
    turns: new FairTurns().of({ caller: 'c', project: undefined }),
  };
  const found = await scan(store, () => Promise.reject(new Error('it evaluates')), {
    ...request,
    signal: AbortSignal.abort(),
  });
  expect(found).toMatchObject({ matches: [], below: 9, exhausted: false, deadlineHit: true });
});
