/** Suspensions of starts only, and suspensions at a time. */
import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import type { AuditDraft } from '../../store/audit/entries.js';
import { findDefinition } from '../../store/definitions/definitions.js';
import { OpenTransaction } from '../../store/connections/open-transaction.js';
import { startInstance } from '../../store/instances/start.js';
import { listTimeline } from '../../store/instances/timeline.js';
import { rows } from '../../store/sql/database.js';
import { resumeDefinition, suspendDefinition } from '../../store/suspension/definitions.js';
import { applyDueSuspension, suspendDefinitionAt, takeDueSuspensions } from '../../store/suspension/scheduled.js';
import { killedAt } from './support/killed.js';
import { untilBlocked } from './support/blocked.js';
import { began, commitStep, deploy, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();
const ada = { projectID, actor: 'ada' };
const bob = { projectID, actor: 'bob' };
const inAnHour = () => new Date(Date.now() + 3_600_000);

const by = (actor: string, operation: 'Suspend' | 'Resume', definitionID: string, reason?: string) => {
  const audit: AuditDraft = {
    actor,
    actorType: 'PERSON',
    via: 'REST',
    operation: `${operation}BpmnDefinition`,
    definitionID,
    reason,
  };
  return { projectID, actor, definitionID, reason, audit };
};
const suspendStarts = (definitionID: string, reason?: string) =>
  suspendDefinition(store.database, { ...by('ada', 'Suspend', definitionID, reason), instances: false });
const suspendFully = (definitionID: string, reason?: string) =>
  suspendDefinition(store.database, by('bob', 'Suspend', definitionID, reason));
const resume = (definitionID: string) => resumeDefinition(store.database, by('ada', 'Resume', definitionID));
const read = async (definitionID: string) => (await findDefinition(store.database, projectID, definitionID))!;
const tryStart = (definitionID: string) =>
  startInstance(store.database, { projectID, definitionID, workflowID: randomUUID(), variables: {} });

/** The entries of the audit log that paused or resumed instances, so that timelines have them. */
const changesOf = (definitionID: string) =>
  rows(
    store.database,
    `SELECT operation, actor, details ->> 'reason' AS reason
     FROM audit_entries WHERE definition_id = $1 AND NOT details ? 'leavesInstances' ORDER BY id`,
    [definitionID],
  );

const none = { startsSuspendedAt: null, suspendedAt: null, scheduledSuspension: null };

describe('a definition whose starts are suspended', () => {
  it('refuses starts, and its running instances continue', async () => {
    const { definitionID } = await deploy(store);
    const running = await start(store, { definitionID });
    expect(await suspendStarts(definitionID, 'draining')).toEqual({ kind: 'done' });
    expect(await tryStart(definitionID)).toMatchObject({ kind: 'refused', code: 'DEFINITION_SUSPENDED' });
    expect(await commitStep(store, running, 1, began)).toEqual({ kind: 'accepted' });
    expect(await read(definitionID)).toMatchObject({
      startsSuspendedBy: 'ada',
      startsSuspendReason: 'draining',
      suspendedAt: null,
    });
  });

  it('is still started by call activities, and the called instance moves', async () => {
    const processID = `called-${randomUUID()}`;
    const { definitionID } = await deploy(store, processID);
    await suspendStarts(definitionID);
    const parent = await start(store);
    const child = `${parent}-child`;
    await commitStep(store, parent, 1, [
      ...began,
      { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'call', scope: 1 },
      {
        kind: 'CHILD_CALLED',
        child: 3,
        element: 2,
        node: 'call',
        workflowID: child,
        processID,
        binding: { kind: 'latest' },
        variables: {},
        caughtErrors: [],
        depth: 1,
      },
    ]);
    expect(await commitStep(store, child, 1, began)).toEqual({ kind: 'accepted' });
  });

  it('keeps its first actor, time, and reason', async () => {
    const { definitionID } = await deploy(store);
    await suspendStarts(definitionID, 'first');
    const first = await read(definitionID);
    await suspendDefinition(store.database, { ...bob, definitionID, instances: false, reason: 'second' });
    expect(await read(definitionID)).toEqual(first);
  });

  it('becomes fully suspended with the actor, time, and reason of that', async () => {
    const { definitionID } = await deploy(store);
    const running = await start(store, { definitionID });
    await suspendStarts(definitionID, 'draining');
    await suspendFully(definitionID, 'a bug');
    expect(await read(definitionID)).toMatchObject({
      suspendedBy: 'bob',
      suspendReason: 'a bug',
      startsSuspendedAt: null,
      startsSuspendedBy: null,
      startsSuspendReason: null,
    });
    expect(await commitStep(store, running, 1, began)).toMatchObject({ kind: 'paused' });
  });

  it('stays fully suspended when its starts are suspended afterward', async () => {
    const { definitionID } = await deploy(store);
    await suspendFully(definitionID, 'a bug');
    const before = await read(definitionID);
    expect(await suspendStarts(definitionID)).toEqual({ kind: 'done' });
    expect(await read(definitionID)).toEqual(before);
    expect(await changesOf(definitionID)).toHaveLength(1);
  });

  it('starts instances again after a resume', async () => {
    const { definitionID } = await deploy(store);
    await suspendStarts(definitionID);
    await resume(definitionID);
    await resume(definitionID);
    expect(await tryStart(definitionID)).toMatchObject({ kind: 'started' });
    expect(await read(definitionID)).toMatchObject(none);
    expect(await changesOf(definitionID)).toEqual([]);
  });

  it('leaves no entry in the timelines of its instances, but a full suspension does', async () => {
    const { definitionID } = await deploy(store);
    const running = await start(store, { definitionID });
    await suspendStarts(definitionID);
    await resume(definitionID);
    await suspendStarts(definitionID);
    await suspendFully(definitionID);
    await resume(definitionID);
    const { data } = await listTimeline(store.database, running, { page: 1, pageSize: 20 });
    expect(data.map(({ kind }) => kind)).toEqual(['START', 'SUSPEND', 'RESUME']);
  });

  it('has no start after the suspension has returned, and every one before it', async () => {
    const { definitionID } = await deploy(store);
    const holder: PoolClient = await store.pool.connect();
    await holder.query('BEGIN');
    const workflowID = randomUUID();
    const before = await startInstance(new OpenTransaction(holder), {
      projectID,
      definitionID,
      workflowID,
      variables: {},
    });
    expect(before.kind).toBe('started');
    const suspension = suspendStarts(definitionID);
    await untilBlocked(store);
    await holder.query('COMMIT');
    holder.release();
    await suspension;
    expect(await tryStart(definitionID)).toMatchObject({ code: 'DEFINITION_SUSPENDED' });
    expect(await valueOf(store, 'SELECT status AS value FROM instances WHERE workflow_id = $1', [workflowID])).toBe(
      'RUNNING',
    );
  });
});

describe('a suspension at a time', () => {
  const schedule = (definitionID: string, more: { instances?: boolean; reason?: string; audit?: AuditDraft } = {}) =>
    suspendDefinitionAt(store.database, { ...ada, definitionID, ...more }, inAnHour());
  const makeDue = (definitionID: string) =>
    store.database.query(
      'UPDATE definitions SET suspension_scheduled_at = now(), suspension_due_at = now() WHERE id = $1',
      [definitionID],
    );
  const apply = (definitionID: string) => applyDueSuspension(store.database, definitionID);
  const entriesOf = (definitionID: string) =>
    rows(
      store.database,
      'SELECT actor, actor_type, via, operation, outcome, details FROM audit_entries WHERE definition_id = $1 ORDER BY id',
      [definitionID],
    );

  it('is not in force before, and is in force once a worker has applied it', async () => {
    const { definitionID } = await deploy(store);
    await schedule(definitionID, { reason: 'the year ends' });
    expect(await apply(definitionID)).toBe(false);
    expect(await takeDueSuspensions(store.database)).not.toContain(definitionID);
    expect(await tryStart(definitionID)).toMatchObject({ kind: 'started' });
    expect((await read(definitionID)).scheduledSuspension).toMatchObject({
      instances: true,
      scheduledBy: 'ada',
      reason: 'the year ends',
    });
    await makeDue(definitionID);
    expect(await takeDueSuspensions(store.database)).toContain(definitionID);
    expect(await apply(definitionID)).toBe(true);
    expect(await read(definitionID)).toMatchObject({
      suspendedBy: 'ada',
      suspendReason: 'the year ends',
      scheduledSuspension: null,
    });
  });

  it('can be of starts only', async () => {
    const { definitionID } = await deploy(store);
    await schedule(definitionID, { instances: false });
    await makeDue(definitionID);
    await apply(definitionID);
    expect(await read(definitionID)).toMatchObject({ startsSuspendedBy: 'ada', suspendedAt: null });
  });

  it('is applied at once if its time has passed', async () => {
    const { definitionID } = await deploy(store);
    await suspendDefinitionAt(store.database, { ...ada, definitionID }, new Date(0));
    expect(await read(definitionID)).toMatchObject({ suspendedBy: 'ada', scheduledSuspension: null });
  });

  it('replaces the one before, and a resume withdraws it', async () => {
    const { definitionID } = await deploy(store);
    await schedule(definitionID, { reason: 'first' });
    await suspendDefinitionAt(store.database, { ...bob, definitionID, instances: false }, inAnHour());
    expect((await read(definitionID)).scheduledSuspension).toMatchObject({
      instances: false,
      scheduledBy: 'bob',
      reason: null,
    });
    await resume(definitionID);
    expect(await read(definitionID)).toMatchObject(none);
    expect(await changesOf(definitionID)).toEqual([]);
  });

  it('is refused for an unknown definition and one of another project', async () => {
    const { definitionID } = await deploy(store);
    expect(await schedule(randomUUID())).toMatchObject({ code: 'NOT_FOUND' });
    expect(
      await suspendDefinitionAt(store.database, { ...ada, projectID: 'other', definitionID }, inAnHour()),
    ).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is recorded once, in the name of who scheduled it, however many workers apply it', async () => {
    const { definitionID } = await deploy(store);
    const audit: AuditDraft = { actor: 'ada', actorType: 'SERVICE', via: 'REST', operation: 'SuspendBpmnDefinition' };
    await schedule(definitionID, { reason: 'the year ends', audit: { ...audit, definitionID } });
    await makeDue(definitionID);
    const applied = await Promise.all(Array.from({ length: 10 }, () => apply(definitionID)));
    expect(applied.filter(Boolean)).toHaveLength(1);
    expect(await changesOf(definitionID)).toEqual([
      { operation: 'SuspendBpmnDefinition', actor: 'ada', reason: 'the year ends' },
    ]);
    expect(await entriesOf(definitionID)).toMatchObject([
      { via: 'REST' },
      {
        actor: 'ada',
        actor_type: 'SERVICE',
        via: 'SCHEDULE',
        operation: 'SuspendBpmnDefinition',
        outcome: 'APPLIED',
        details: { reason: 'the year ends' },
      },
    ]);
  });

  it('that meets a resume at its time is applied entirely before it or not at all', async () => {
    for (let round = 0; round < 10; round++) {
      const { definitionID } = await deploy(store);
      await schedule(definitionID);
      await makeDue(definitionID);
      const [applied] = await Promise.all([apply(definitionID), resume(definitionID)]);
      expect(await read(definitionID)).toMatchObject(none);
      expect(await changesOf(definitionID)).toHaveLength(applied ? 2 : 0);
    }
  });

  it('is still due when its worker is killed before the commit', async () => {
    const { definitionID } = await deploy(store);
    await schedule(definitionID);
    await makeDue(definitionID);
    // The entry is the last statement of the transaction.
    await killedAt(store, ['LOCK TABLE audit_entries IN SHARE MODE'], (database) =>
      applyDueSuspension(database, definitionID),
    );
    expect(await changesOf(definitionID)).toEqual([]);
    expect(await takeDueSuspensions(store.database)).toContain(definitionID);
    expect(await apply(definitionID)).toBe(true);
    expect(await changesOf(definitionID)).toHaveLength(1);
  });
});
