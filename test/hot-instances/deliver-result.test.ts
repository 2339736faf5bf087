import { expect, it } from 'vitest';
import type { Delivery } from '@perdure/engine/contract/commands.js';
import { wakeCommit } from '../../hot-instances/deliver-command.js';
import { deliverResult, type ResultDelivery } from '../../hot-instances/deliver-result.js';
import { Lingers } from '../../hot-instances/lingers.js';
import type { AppliedResult } from '../../store/hot-instances/job-results.js';
import type { Announcement } from '../../store/sql/announcements.js';
import type { Database } from '../../store/sql/database.js';

const completion = { projectID: 'p', workflowID: 'i', number: 3, clientID: 'c', awaited: true };
const applied: AppliedResult = { commandID: 'unwritten', outcome: { number: 5, status: 'APPLIED' } };

/** A store whose only statement writes the result, and an instance that a command reaches in one way. */
function host({ lingeringWorker = null, hasReadOthers = true, handedOver }: Partial<Host>) {
  const deliveries: Delivery[] = [];
  const written = { id: 'written', number: 5, lingeringWorker, hasReadOthers, waitsForResume: false, workedSeconds: 1 };
  const delivery: ResultDelivery = {
    store: { query: async () => ({ rows: [written] }), announce: () => undefined } as unknown as Database,
    instances: { deliver: async (_workflowID, _command, how) => void deliveries.push(how) },
    notifications: { awaitOutcome: async () => ({ number: 5, status: 'APPLIED' }) },
    lingers: { handOver: async () => handedOver },
  };
  return { delivery, deliveries };
}

interface Host {
  lingeringWorker: string | null;
  hasReadOthers: boolean;
  handedOver: AppliedResult;
}

it.for([
  { way: 'handedOver', when: 'a commit of this process waits for it', given: { handedOver: applied }, how: [] },
  { way: 'woken', when: 'a commit of any process lingers', given: { lingeringWorker: 'w' }, how: [{ worker: 'w' }] },
  { way: 'signaled', when: 'nothing lingers', given: {}, how: ['signal'] },
  { way: 'signaled', when: 'an earlier command is unread', given: { hasReadOthers: false }, how: ['withEarlier'] },
])('a job result is $way when $when', async ({ way, given, how }) => {
  const { delivery, deliveries } = host(given);
  const delivered = await deliverResult(delivery, completion, 5_000);
  expect(delivered).toMatchObject({
    kind: 'delivered',
    way,
    commandID: way === 'handedOver' ? 'unwritten' : 'written',
  });
  expect(delivered.kind === 'delivered' && (await delivered.outcome)).toEqual({ number: 5, status: 'APPLIED' });
  expect(deliveries).toEqual(how);
});

it.for([
  { whose: 'an operator', more: { clientID: undefined }, waitMilliseconds: 5_000 },
  { whose: 'a caller who hardly waits', more: {}, waitMilliseconds: 1_999 },
  {
    whose: 'a job worker with more than 64 KiB',
    more: { variables: { a: 'x'.repeat(65_536) } },
    waitMilliseconds: 5_000,
  },
])('the result of $whose is written first', async ({ more, waitMilliseconds }) => {
  const { delivery } = host({ handedOver: applied });
  expect(await deliverResult(delivery, { ...completion, ...more }, waitMilliseconds)).toMatchObject({
    way: 'signaled',
  });
});

it('a commit is woken in memory in its own process, and by an announcement in another', async () => {
  const announced: Announcement[] = [];
  const store = { announce: (announcements: Announcement[]) => void announced.push(...announcements) };
  const lingers = new Lingers({ worker: 'here', maxAtOnce: 1, maxMs: 1_000, isPolled: () => true });
  const linger = lingers.reserve('i', { projectID: 'p', taskTypes: ['work'], calls: [] })!;
  const ports = { store: store as unknown as Database, lingers };
  const command = { kind: 'COMPLETE_JOB', number: 5, execution: 3 } as const;
  wakeCommit(ports, 'elsewhere', 'i', command);
  expect(announced).toEqual([{ channel: 'perdure_linger_elsewhere', payload: 'i' }]);
  wakeCommit(ports, 'here', 'i', command);
  expect(await linger.wait()).toEqual({ by: 'command', command });
  expect(announced).toHaveLength(1);
});
