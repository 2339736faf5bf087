/** The audit log against the database: what changed a row is recorded, and what is recorded changed a row. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unrecordedOperations } from '../../../api/contract/audit/unrecorded.js';
import { operations } from '../../../api/operations/index.js';
import { startTestHost, type TestHost } from './support/host.js';
import { requestsOn, type Prepare } from './support/requests.js';
import { watchRows } from './support/watch-rows.js';

/** Tables that keep track of requests. An operation that changes only them changes nothing. */
const BOOKKEEPING: Readonly<Record<string, string>> = {
  audit_entries: 'the entries themselves',
  audit_entries_to_log: 'which entries are not in the log of the host yet',
  idempotency_keys: 'responses for repeated requests',
};

/** Tables that operations without an entry write, as their reasons in `unrecorded.ts` say. */
const WRITTEN_WITHOUT_ENTRY: Readonly<Record<string, readonly string[]>> = {
  PollBpmnExternalJobs: ['jobs', 'job_workers'],
  HeartbeatBpmnExternalJob: ['jobs'],
  EvaluateStored: ['decision_executions'],
  EvaluateByDefinitionsID: ['decision_executions'],
};

/** Their change is at the identity provider. */
const CHANGED_ELSEWHERE = ['PutProjectMember', 'DeleteProjectMember'];

const ALL = operations.map(({ operationID }) => operationID);
const APPLICATION = 'requests';

let host: TestHost;
let requests: Record<string, Prepare>;
let watched: Awaited<ReturnType<typeof watchRows>>;

beforeAll(async () => {
  host = await startTestHost({ application: APPLICATION });
  requests = await requestsOn(host);
  watched = await watchRows(host.store, APPLICATION);
}, 300_000);
afterAll(() => host.close());

/** Carries out a request of the operation. */
async function changesOf(operation: string) {
  const request = await requests[operation]!();
  await watched.forget();
  const { rows: newest } = await host.store.query('SELECT coalesce(max(id), 0)::text AS id FROM audit_entries');
  const answer = await request();
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  const changed = await watched.changed();
  const { rows: entries } = await host.store.query(
    "SELECT operation FROM audit_entries WHERE id > $1::bigint AND via = 'REST'",
    [newest[0]!['id']],
  );
  const tables = changed.filter((name) => BOOKKEEPING[name] === undefined);
  return { status: answer.status, tables, entries: entries.map((entry) => entry['operation'] as string) };
}

describe('every operation', () => {
  it('has a request in support/requests.ts', () => {
    expect(Object.keys(requests).sort()).toEqual([...ALL].sort());
  });

  it('that does more than read has an entry, or is in the list with the reason', () => {
    const without = operations.filter(({ method, records }) => method !== 'GET' && records === undefined);
    expect(without.map(({ operationID }) => operationID).sort()).toEqual(Object.keys(unrecordedOperations).sort());
  });

  it.each(ALL)('%s has an entry if it changed a row, and changed a row if it has an entry', async (operation) => {
    const { tables, entries } = await changesOf(operation);
    const unexplained = tables.filter((name) => !WRITTEN_WITHOUT_ENTRY[operation]?.includes(name));
    const isChange = unexplained.length > 0 || CHANGED_ELSEWHERE.includes(operation);
    expect({ entries, tables }).toEqual({ entries: isChange ? [operation] : [], tables });
    const { records } = operations.find(({ operationID }) => operationID === operation)!;
    expect(isChange, `changed: ${tables.join(', ')}`).toBe(records !== undefined);
  });
});
