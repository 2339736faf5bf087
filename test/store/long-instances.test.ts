import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { rows, type Database, type Queryable } from '../../store/sql/database.js';
import { foldHistory, listHistory, type ActivityEntry } from '../../store/steps/history.js';
import { stepsBetween } from '../../store/steps/recorded-steps.js';
import { listFacts, stateAt } from '../../store/steps/replay.js';
import { auditJson, type AuditDraft } from '../../store/audit/entries.js';
import { listTimeline } from '../../store/instances/timeline.js';
import { newState } from '@perdure/engine/state/state.js';
import { apply } from '@perdure/engine/apply.js';
import { began, graphOf, commitStep, start, useStore, valueOf } from './support/store.js';

const store = useStore();
const graph = graphOf('p');
const STEPS = 1_200;

/** An instance of many steps: each ends the job of the one before and makes the next, while element 2 waits from the first step to the last. */
let workflowID: string;
let all: ActivityEntry[];

/** Retries make the element of step 300 record facts again and again; the escalation of every 100th step is not caught. */
function factsOf(number: number): Fact[] {
  const element = 10 * number;
  const facts: Fact[] = [];
  if (number === 1) facts.push(...began, { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'body', scope: 1 });
  if (number > 1 && number - 1 !== 300) {
    facts.push(
      { kind: 'VARIABLES_SET', scope: 1, variables: { at: number }, by: element - 10, role: 'OUTPUT' },
      { kind: 'JOB_COMPLETED', job: element - 9 },
      { kind: 'ELEMENT_COMPLETED', element: element - 10 },
    );
  }
  facts.push(
    { kind: 'ELEMENT_ACTIVATED', element, node: 'task', scope: 1 },
    { kind: 'JOB_CREATED', job: element + 1, element, node: 'task', taskType: 'pack', retries: 3 },
  );
  if (number % 100 === 0)
    facts.push(
      escalation(element),
      { kind: 'JOB_CREATED', job: element + 2, element: 3_000, node: 'task', taskType: 'pack', retries: 3 },
      escalation(element),
    );
  if (number === STEPS)
    facts.push({ kind: 'ELEMENT_CANCELED', element: 3_000 }, { kind: 'ELEMENT_CANCELED', element: 2 });
  return facts.filter((fact) => fact.kind !== 'JOB_CREATED' || fact.element !== 3_000 || number >= 300);
}

const escalation = (element: number): Fact => ({
  kind: 'ESCALATION_THROWN',
  element,
  node: 'task',
  escalationCode: `E${element}`,
  caught: 'NOWHERE',
});

beforeAll(async () => {
  workflowID = await start(store);
  const state = newState(workflowID);
  for (let number = 1; number <= STEPS; number += 1) {
    const facts = factsOf(number);
    for (const fact of facts) apply(state, fact, 1_000_000 + number);
    await commitStep(store, workflowID, number, facts, number % 32 === 0 ? { snapshot: state } : {});
  }
  const steps = [];
  for await (const read of stepsBetween(store.database, workflowID, 1, STEPS)) steps.push(read);
  all = foldHistory(workflowID, graph, steps);
});

/** What `work` makes Postgres read, in rows of any table. */
async function rowsRead(pool: Database, work: (database: Database) => Promise<unknown>): Promise<number> {
  return pool.transaction(async (transaction) => {
    // Tables of a test are so small that reading all of one is cheaper than looking something up in it.
    await transaction.query('SET LOCAL enable_seqscan = off');
    // Earlier reads of the connection may not be counted elsewhere yet.
    const before = await readSoFar(transaction);
    await work(transaction);
    return (await readSoFar(transaction)) - before;
  });
}

async function readSoFar(database: Queryable): Promise<number> {
  const [read] = await rows<{ count: number }>(
    database,
    'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS count FROM pg_stat_xact_user_tables',
    [],
  );
  return read!.count;
}

/** A command that sets variables, with its audit entry. */
async function insertByPerson(id: string, number: number, variables: Record<string, unknown>): Promise<void> {
  const audit: AuditDraft = {
    actor: 'eda',
    actorType: 'PERSON',
    via: 'REST',
    operation: 'UpdateBpmnInstanceVariables',
    workflowID: id,
  };
  await store.database.query(
    `INSERT INTO commands (workflow_id, project_id, number, body, actor, audit, awaited, deliver_at) VALUES ($1, 'p', $2, $3, 'eda', $4, false, 'infinity')`,
    [id, number, JSON.stringify({ kind: 'SET_VARIABLES', variables }), auditJson(audit)],
  );
}

describe('an instance of very many steps', () => {
  it('has the same history by page as folded in one go', async () => {
    expect(all).toHaveLength(STEPS + 1);
    const paged: ActivityEntry[] = [];
    for (let page = 1; page <= 13; page += 1) {
      const { data, total } = await listHistory(store.database, workflowID, graph, { page, pageSize: 100 });
      expect(total).toBe(all.length);
      paged.push(...data);
    }
    expect(paged).toEqual(all);
    expect(await listHistory(store.database, workflowID, graph, { page: 14, pageSize: 100 })).toEqual({
      data: [],
      total: all.length,
    });
    expect((await listHistory(store.database, workflowID, graph, { page: 301, pageSize: 1 })).data).toEqual([all[300]]);
  });

  it('reads a bounded number of rows for a page of history, facts, state and timeline', async () => {
    const reads: { [what: string]: (database: Database) => Promise<unknown> } = {
      history: (database) => listHistory(database, workflowID, graph, { page: 50, pageSize: 20 }),
      facts: (database) => listFacts(database, workflowID, { page: 200, pageSize: 20 }, () => 0),
      state: (database) => stateAt(database, workflowID, 4_000),
      timeline: (database) => listTimeline(database, workflowID, { page: 1, pageSize: 20 }),
    };
    for (const [what, read] of Object.entries(reads))
      expect(await rowsRead(store.database, read), what).toBeLessThan(200);
  });

  it('reads no result of a job for the timeline', async () => {
    const id = await start(store);
    const job = `'{"kind":"COMPLETE_JOB","execution":3,"variables":{"kind":"MODIFY"}}'`;
    await store.database.query(
      `INSERT INTO commands (workflow_id, project_id, number, body, awaited, deliver_at) SELECT $1, 'p', n, ${job}, false, 'infinity' FROM generate_series(1, 5000) n`,
      [id],
    );
    for (const number of [5_001, 5_002, 5_003, 5_004, 5_005]) await insertByPerson(id, number, { a: 1 });
    const timeline = (database: Database) => listTimeline(database, id, { page: 2, pageSize: 3 });
    expect(await timeline(store.database)).toMatchObject({
      data: [{ kind: 'SET_VARIABLES', variables: ['a'] }, {}, {}],
      total: 6,
    });
    expect(await rowsRead(store.database, timeline)).toBeLessThan(100);
  });

  it('has no entries on a page far after the last', async () => {
    const far = { page: 2_000_000_000, pageSize: 100 };
    expect((await listHistory(store.database, workflowID, graph, far)).data).toEqual([]);
    expect((await listFacts(store.database, workflowID, far, () => 0)).data).toEqual([]);
    expect((await listTimeline(store.database, workflowID, far)).data).toEqual([]);
  });

  it('has every uncaught escalation in its timeline, in order', async () => {
    const codes = Array.from({ length: STEPS / 100 }, (_, index) => `E${1_000 * (index + 1)}`).flatMap((code) => [
      code,
      code,
    ]);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => listTimeline(store.database, workflowID, { page, pageSize: 7 })),
    );
    const found = pages.flatMap(({ data }) => data.map(({ kind, escalationCode }) => escalationCode ?? kind));
    expect(found).toEqual(['START', ...codes]);
    expect(pages.map(({ total }) => total)).toEqual(Array(4).fill(codes.length + 1));
  });

  it('keeps fewer old snapshots than recent ones, and replays every fact correctly', async () => {
    const kept = await valueOf<number[]>(
      store,
      'SELECT array_agg(number ORDER BY number) AS value FROM steps WHERE workflow_id = $1 AND snapshot IS NOT NULL',
      [workflowID],
    );
    expect(kept.slice(-16)).toEqual(Array.from({ length: 16 }, (_, index) => 32 * (22 + index)));
    expect(kept.length).toBeLessThan(30);
    const { last } = await stateAt(store.database, workflowID);
    const state = newState(workflowID);
    let at = 0;
    for (let number = 1; number <= STEPS; number += 1) {
      for (const fact of factsOf(number)) {
        apply(state, fact, 1_000_000 + number);
        at += 1;
        if (at % 997 === 0 || at === last) expect((await stateAt(store.database, workflowID, at)).state).toEqual(state);
      }
    }
    expect(at).toBe(last);
  });
});

describe('reading an instance', () => {
  it('omits variables beyond the limit of a page and marks the entries', async () => {
    const id = await start(store);
    const large = 'x'.repeat(900_000);
    const facts: Fact[] = [...began];
    for (let element = 2; element < 22; element += 1) {
      facts.push(
        { kind: 'ELEMENT_ACTIVATED', element, node: 'task', scope: 1 },
        { kind: 'VARIABLES_SET', scope: element, variables: { large }, role: 'INPUT' },
      );
    }
    await commitStep(store, id, 1, facts);
    const { data } = await listHistory(store.database, id, graph, { page: 1, pageSize: 100 });
    expect(data).toHaveLength(20);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(9_000_000);
    expect(
      data.map(({ inputs, variablesOmitted }) => (inputs === undefined) === (variablesOmitted === true)),
    ).not.toContain(false);
    expect((await listHistory(store.database, id, graph, { page: 20, pageSize: 1 })).data[0]!.inputs).toEqual({
      large,
    });
  });

  it('shows text that Postgres cannot decode in history, timeline and replay', async () => {
    const hostile = 'a\u0000b\ud800c\udc00';
    const id = await start(store);
    const facts: Fact[] = [
      ...began,
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 },
      { kind: 'VARIABLES_SET', scope: 2, variables: { [hostile]: hostile }, role: 'INPUT' },
      {
        kind: 'ESCALATION_THROWN',
        element: 2,
        node: 'task',
        escalationCode: hostile,
        caught: 'NOWHERE',
        variables: { hostile },
      },
    ];
    await commitStep(store, id, 1, facts, {
      inputs: {
        now: 5,
        lastCommand: 0,
        evaluations: [{ decision: 9, kind: 'EVALUATED', definitionID: 'd', version: 1, result: hostile }] as never,
      },
    });
    await insertByPerson(id, 1, { [hostile]: hostile });
    const { data } = await listHistory(store.database, id, graph, { page: 1, pageSize: 100 });
    expect(data).toMatchObject([{ startedAt: 5, inputs: { [hostile]: hostile } }]);
    const timeline = await listTimeline(store.database, id, { page: 1, pageSize: 100 });
    const members = ['actor', 'at', 'batchID', 'commandID', 'kind', 'message', 'outcome', 'reason', 'scope'];
    expect(timeline.data.map((entry) => Object.keys(entry).toSorted())).toEqual([
      members,
      [...members, 'escalationCode', 'nodeIDs'].toSorted(),
      [...members, 'variables'].toSorted(),
    ]);
    expect(timeline.data).toMatchObject([
      { kind: 'START' },
      { kind: 'ESCALATION', escalationCode: hostile },
      { kind: 'SET_VARIABLES', variables: [hostile] },
    ]);
    expect((await stateAt(store.database, id)).fact).toMatchObject({ fact: facts.at(-1), now: 5 });
  });

  it('is unaffected by a removal of the instance in between', async () => {
    const id = await start(store);
    for (let number = 1; number <= 40; number += 1)
      await commitStep(
        store,
        id,
        number,
        number === 1
          ? [...began, { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'task', scope: 1 }]
          : [{ kind: 'VARIABLES_SET', scope: 1, variables: { number } }],
      );
    let removed = false;
    const { data, total } = await listFacts(store.database, id, { page: 1, pageSize: 100 }, ({ at, state }) => {
      if (!removed)
        void store.database.query(
          'WITH gone AS (DELETE FROM instances WHERE workflow_id = $1) DELETE FROM steps WHERE workflow_id = $1',
          [id],
        );
      removed = true;
      return { at, status: state.status };
    });
    expect([data.length, total]).toEqual([42, 42]);
  });
});
