import { FairTurns } from '@perdure/lib/fair-turns.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateBatch } from '../../api/search/evaluation.js';
import { readPredicate } from '../../api/search/predicate.js';
import { scan, type Scan } from '../../api/search/scan.js';
import { searchWindow } from '../../store/search/window.js';
import { jobLoop } from './support/models.js';
import { startRotatingServer, type RotatingServer } from './support/rotating-server.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';

let server: RotatingServer;
let host: TemporalHost;
beforeAll(async () => {
  server = await startRotatingServer(20);
  host = await openTemporalHost({ temporal: server.address, maxRotations: 100 });
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

const ROUNDS = 12;

/** Pages until the window is exhausted. */
async function pagesOf(
  definitionID: string,
  text: string,
  { isPrefiltered, deadlineMilliseconds }: { isPrefiltered: boolean; deadlineMilliseconds: number },
): Promise<Scan[]> {
  const predicate = readPredicate(text);
  if (!predicate.ok) throw new Error(`${text} is not valid`);
  const pages: Scan[] = [];
  let below = (await searchWindow(host.store, project, definitionID)) + 1;
  while (pages.at(-1)?.exhausted !== true) {
    const page = await scan(host.store, (work) => Promise.resolve(evaluateBatch(work)), {
      filter: { projectID: project, definitionID },
      predicate: text,
      names: predicate.names,
      prefilter: isPrefiltered ? predicate.prefilter : undefined,
      now: 0,
      below,
      limit: 2,
      deadlineMilliseconds,
      turns: new FairTurns().of({ caller: 'c', project: undefined }),
      signal: new AbortController().signal,
    });
    pages.push(page);
    ({ below } = page);
  }
  return pages;
}

/** Instances that a search may have scanned by now. */
async function countUpTo(definitionID: string): Promise<number> {
  const { rows } = await host.store.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM instances WHERE project_id = $1 AND definition_id = $2',
    [project, definitionID],
  );
  return rows[0]!.count;
}

test('every search finds each instance that matches throughout once, while instances start, wait, rotate and end', async () => {
  await host.deploy(jobLoop);
  const matching: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    matching.push(await host.start('jobLoop', { rounds: ROUNDS, color: 'red', place: { name: 'here' } }));
    await host.start('jobLoop', { rounds: ROUNDS, color: 'blue', place: { name: 'here' } });
  }
  const { rows } = await host.store.query<{ id: string }>('SELECT definition_id AS id FROM instances LIMIT 1');
  const definitionID = rows[0]!.id;
  await host.store.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, status, variables, search_summary)
     SELECT 'foreign-' || n, 'foreign-' || n, 'p2', definition_id, 'COMPLETED', variables, search_summary FROM instances, generate_series(1, 3) n WHERE workflow_id = $1`,
    [matching[0]],
  );

  let isBusy = true;
  const work = async () => {
    await Promise.all(
      matching.map(async (id) => {
        for (let round = 0; round < ROUNDS; round += 1) await host.completeJob(id, 'work', { last: round });
        await host.ended(id);
      }),
    );
    isBusy = false;
  };
  const more = async () => {
    for (let count = 0; isBusy && count < 60; count += 1)
      await host.start('jobLoop', { rounds: ROUNDS, color: 'green', place: { name: 'there' } });
  };
  const searching = async () => {
    let searches = 0;
    for (let count = 0; isBusy || count < 6; count += 1) {
      const how = { isPrefiltered: count % 2 === 0, deadlineMilliseconds: count % 3 === 0 ? 0 : 30_000 };
      const atLeast = await countUpTo(definitionID);
      const pages = await pagesOf(definitionID, 'color = "red" and place.name = "here"', how);
      const found = pages.flatMap(({ matches }) => matches.map(({ details: [workflowID] }) => workflowID));
      const scanned = pages.reduce((sum, { evaluated, predicateErrors }) => sum + evaluated + predicateErrors, 0);
      expect(found.toSorted(), JSON.stringify(how)).toEqual(matching.toSorted());
      expect(scanned).toBeGreaterThanOrEqual(atLeast);
      expect(scanned).toBeLessThanOrEqual(await countUpTo(definitionID));
      expect(pages.reduce((sum, { predicateErrors }) => sum + predicateErrors, 0)).toBe(0);
      searches += 1;
    }
    return searches;
  };
  const [searches] = await Promise.all([searching(), work(), more()]);
  expect(searches).toBeGreaterThanOrEqual(6);
  for (const id of matching) expect(await host.rotations(id)).toBeGreaterThanOrEqual(1);
}, 240_000);
