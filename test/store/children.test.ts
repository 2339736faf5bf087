import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ChildBinding, Fact } from '@perdure/engine/contract/facts.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { callChildren, MAX_DESCENDANTS_OF_ROOT } from '../../store/instances/children.js';
import { loadCommands, readOutcome } from '../../store/instances/commands.js';
import { lockWithAncestors } from '../../store/instances/locks.js';
import { failInstance } from '../../store/steps/fail-instance.js';
import { listHistory } from '../../store/steps/history.js';
import { findInstance, listChildren } from '../../store/instances/instances.js';
import { listIncidents } from '../../store/work/incidents/lists.js';
import { unstartedInstances, undeliveredCommands } from '../../store/instances/outbox.js';
import { stateAt } from '../../store/steps/replay.js';
import {
  began,
  deploy,
  graphOf,
  jobCreated,
  jobOf,
  commitStep,
  projectID,
  start,
  startWithJob,
  submit,
  useStore,
  valueOf,
} from './support/store.js';
import { rowsReadBy } from './support/rows-read.js';

const store = useStore();

function called(processID: string, workflowID: string, binding: ChildBinding = { kind: 'latest' }, depth = 1): Fact[] {
  const variables = { from: 'parent' };
  return [
    { kind: 'ELEMENT_ACTIVATED', element: 2, node: 'call', scope: 1 },
    {
      kind: 'CHILD_CALLED',
      child: 3,
      element: 2,
      node: 'call',
      workflowID,
      processID,
      binding,
      variables,
      caughtErrors: ['E'],
      depth,
    },
  ];
}

/** A parent that waits (3) for a child that has committed one step. */
async function family(businessID?: string): Promise<{ parent: string; child: string }> {
  const processID = `called-${randomUUID()}`;
  await deploy(store, processID);
  const parent = await start(store, { ...(businessID !== undefined && { businessID }) });
  const child = randomUUID();
  await commitStep(store, parent, 1, [...began, ...called(processID, child)]);
  await commitStep(store, child, 1, began);
  return { parent, child };
}

/** More running children, with the bound that calls would have left. */
async function addRunning(root: string, count: number): Promise<void> {
  await store.database.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, parent_workflow_id, project_id, definition_id, variables)
     SELECT $1 || '-' || n, $1, $1, project_id, definition_id, '{}' FROM instances, generate_series(1, $2::int) AS n WHERE workflow_id = $1`,
    [root, count],
  );
  await setAtMost(root, (await atMost(root)) + count);
}

const atMost = (root: string) =>
  valueOf<number>(store, 'SELECT descendants_at_most AS value FROM instances WHERE workflow_id = $1', [root]);
const setAtMost = (root: string, count: number) =>
  store.database.query('UPDATE instances SET descendants_at_most = $2 WHERE workflow_id = $1', [root, count]);

const instance = async (workflowID: string) => (await findInstance(store.database, projectID, workflowID))!;
const incident = (number: number): Fact => ({
  kind: 'INCIDENT_RAISED',
  incident: number,
  element: 1,
  node: 'n',
  errorType: 'Unknown',
  message: 'm',
});

describe('calling', () => {
  it('writes the child and its start for the outbox relay', async () => {
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    const parent = await start(store, { businessID: 'b' });
    const child = randomUUID();
    await commitStep(store, parent, 1, [...began, ...called(processID, child)]);
    expect(await listChildren(store.database, projectID, parent)).toMatchObject([
      { workflowID: child, processID, parentWorkflowID: parent, businessID: 'b', startedBy: 'eda' },
    ]);
    const due = (await unstartedInstances(store.database, 100)).filter(({ workflowID }) => workflowID === child);
    expect(due).toMatchObject([
      {
        parentWorkflowID: parent,
        start: {
          variables: { from: 'parent' },
          parent: { workflowID: parent, wait: 3 },
          caughtErrors: ['E'],
          depth: 1,
        },
      },
    ]);
  });

  it('binds to the newest version, to the one with a tag, or to the one of the same resource', async () => {
    const processID = `bound-${randomUUID()}`;
    await deploy(store, processID, { versionTag: 'stable' });
    const { definitionID: second } = await deploy(store, processID);
    await deploy(store, processID, { versionTag: 'beta' });
    const version = async (binding: ChildBinding) => {
      const parent = await start(store, { definitionID: second });
      const child = randomUUID();
      await commitStep(store, parent, 1, [...began, ...called(processID, child, binding)]);
      return (await instance(child)).processVersion;
    };
    expect(await version({ kind: 'latest' })).toBe(3);
    expect(await version({ kind: 'versionTag', versionTag: 'stable' })).toBe(1);
    expect(await version({ kind: 'deployment' })).toBe(2);
  });

  it('of a process that this project does not have is refused by command', async () => {
    const processID = `foreign-${randomUUID()}`;
    await deploy(store, processID, { project: 'elsewhere' });
    const parent = await start(store);
    await commitStep(store, parent, 1, [
      ...began,
      ...called(processID, randomUUID(), { kind: 'versionTag', versionTag: 'v' }),
    ]);
    expect((await loadCommands(store.database, parent, [1]))[0]).toMatchObject({
      kind: 'END_CHILD',
      execution: 3,
      outcome: {
        status: 'REFUSED',
        message: `No process ${processID} is deployed in this project with the version tag v`,
      },
    });
    expect((await undeliveredCommands(store.database, 100)).map(({ workflowID }) => workflowID)).toContain(parent);
  });
});

describe('calls below calls', () => {
  it('are refused while the root instance has as many running descendants as it may', async () => {
    const { parent, child } = await family();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    await addRunning(parent, MAX_DESCENDANTS_OF_ROOT - 2);
    const [fits, refused] = [randomUUID(), randomUUID()];
    const second = called(processID, refused, { kind: 'latest' }, 2).map(
      (fact) => ({ ...fact, element: 4, ...(fact.kind === 'CHILD_CALLED' && { child: 5 }) }) as Fact,
    );
    await commitStep(store, child, 2, [...called(processID, fits, { kind: 'latest' }, 2), ...second]);
    expect((await listChildren(store.database, projectID, child)).map(({ workflowID }) => workflowID)).toEqual([fits]);
    expect((await loadCommands(store.database, child, [1]))[0]).toMatchObject({
      kind: 'END_CHILD',
      execution: 5,
      outcome: {
        status: 'REFUSED',
        message: `${MAX_DESCENDANTS_OF_ROOT} instances are already running below ${parent}, which is the limit, so process ${processID} was not started. Check the called processes for recursion.`,
      },
    });
  }, 60_000);

  it('are counted by what runs, not by all calls there have been', async () => {
    const { parent, child } = await family();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    await setAtMost(parent, MAX_DESCENDANTS_OF_ROOT);
    const fits = randomUUID();
    await commitStep(store, child, 2, called(processID, fits, { kind: 'latest' }, 2));
    expect((await listChildren(store.database, projectID, child)).map(({ workflowID }) => workflowID)).toEqual([fits]);
    expect(await atMost(parent)).toBe(2);
  });

  it('read none of the descendants while the calls of the tree cannot have reached the limit', async () => {
    const { parent, child } = await family();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    await addRunning(parent, 2_000);
    const { instance: caller } = (await lockWithAncestors(store.database as never, child))!;
    const calls = called(processID, randomUUID(), { kind: 'latest' }, 2).filter((fact) => fact.kind === 'CHILD_CALLED');
    const call = (database: unknown) => callChildren(database as never, caller, calls);
    expect(await rowsReadBy(store, call, /^(SELECT|UPDATE)|\bcount\(/)).toBeLessThan(10);
  });
});

describe('the end of a called instance', () => {
  it('answers the call with its variables', async () => {
    const { parent, child } = await family();
    await commitStep(store, child, 2, [{ kind: 'INSTANCE_COMPLETED' }], { variables: { result: 7 } });
    expect((await loadCommands(store.database, parent, [1]))[0]).toEqual({
      kind: 'END_CHILD',
      execution: 3,
      outcome: { status: 'COMPLETED', variables: { result: 7 } },
      number: 1,
    });
  });

  it('returns the error that the parent catches, with its variables', async () => {
    const { parent, child } = await family();
    await commitStep(store, child, 2, [
      { kind: 'INSTANCE_FAILED', reason: 'r', errorCode: 'E', variables: { why: 'wet' } },
    ]);
    expect((await loadCommands(store.database, parent, [1]))[0]).toMatchObject({
      outcome: { status: 'ERROR', errorCode: 'E', message: 'r', variables: { why: 'wet' } },
    });
    expect(await instance(child)).toMatchObject({ status: 'FAILED', failureReason: 'r' });
  });

  it('returns that it was canceled if another caller canceled it', async () => {
    const { parent, child } = await family();
    await cancelInstance(store.database, { workflowID: child, projectID, awaited: false });
    await commitStep(store, child, 2, [{ kind: 'INSTANCE_CANCELED', reason: 'by hand' }], {
      inputs: { now: 1, lastCommand: 1 },
      outcomes: [{ number: 1, status: 'APPLIED' }],
    });
    expect((await loadCommands(store.database, parent, [1]))[0]).toMatchObject({
      outcome: { status: 'CANCELED', reason: 'by hand' },
    });
  });

  it('answers nothing when the caller canceled it or has ended', async () => {
    const { parent, child } = await family();
    await commitStep(store, parent, 2, [{ kind: 'CHILD_CANCELED', child: 3, workflowID: child }]);
    expect((await loadCommands(store.database, child, [1]))[0]).toMatchObject({ kind: 'CANCEL_INSTANCE' });
    await commitStep(store, child, 2, [{ kind: 'INSTANCE_CANCELED' }], {
      inputs: { now: 1, lastCommand: 1 },
      outcomes: [{ number: 1, status: 'APPLIED' }],
    });
    expect((await loadCommands(store.database, parent, [1]))[0]).toBeUndefined();
  });
});

describe('an escalation of a called instance', () => {
  it('reaches the caller that catches it, before the end that follows', async () => {
    const { parent, child } = await family();
    const thrown: Fact = {
      kind: 'ESCALATION_THROWN',
      element: 2,
      node: 'late',
      escalationCode: 'LATE',
      caught: 'PARENT',
      variables: { days: 3 },
    };
    await commitStep(store, child, 2, [thrown, { ...thrown, caught: 'HERE' }, { kind: 'INSTANCE_COMPLETED' }]);
    expect((await loadCommands(store.database, parent, [1]))[0]).toEqual({
      kind: 'ESCALATE_CHILD',
      execution: 3,
      escalationCode: 'LATE',
      variables: { days: 3 },
      number: 1,
    });
    expect((await loadCommands(store.database, parent, [2]))[0]).toMatchObject({
      kind: 'END_CHILD',
      outcome: { status: 'COMPLETED' },
    });
  });
});

describe('canceling', () => {
  it('stops everything below in the same moment, and each ends by its own command', async () => {
    const { parent, child } = await family();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    const grandchild = randomUUID();
    await commitStep(store, child, 2, called(processID, grandchild, { kind: 'latest' }, 2));
    await commitStep(store, grandchild, 1, [...began, ...jobCreated(2, 'below')]);
    await cancelInstance(store.database, {
      workflowID: parent,
      projectID,
      awaited: false,
      actor: 'olga',
      reason: 'wrong order',
    });
    expect((await loadCommands(store.database, parent, [1]))[0]).toEqual({
      kind: 'CANCEL_INSTANCE',
      number: 1,
      actor: 'olga',
      reason: 'wrong order',
    });
    expect(
      await valueOf(store, 'SELECT array_agg(canceling) AS value FROM instances WHERE root_workflow_id = $1', [parent]),
    ).toEqual([true, true, true]);
    await commitStep(
      store,
      parent,
      2,
      [{ kind: 'CHILD_CANCELED', child: 3, workflowID: child }, { kind: 'INSTANCE_CANCELED' }],
      {
        inputs: { now: 1, lastCommand: 1 },
        outcomes: [{ number: 1, status: 'APPLIED' }],
      },
    );
    expect((await loadCommands(store.database, child, [1]))[0]).toMatchObject({ kind: 'CANCEL_INSTANCE' });
  });

  it('leaves the rows below as they are when its own step comes, because the request has marked them', async () => {
    const { parent, child } = await family();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    const grandchild = randomUUID();
    await commitStep(store, child, 2, called(processID, grandchild, { kind: 'latest' }, 2));
    await cancelInstance(store.database, { workflowID: parent, projectID, awaited: false });
    const version = () =>
      valueOf(store, 'SELECT xmin::text AS value FROM instances WHERE workflow_id = $1', [grandchild]);
    const marked = await version();
    const canceled: Fact[] = [
      { kind: 'CHILD_CANCELED', child: 3, workflowID: child },
      { kind: 'INSTANCE_CANCELED' },
      { kind: 'COMMAND_HANDLED', number: 1 },
    ];
    const handled = { inputs: { now: 1, lastCommand: 1 }, outcomes: [{ number: 1, status: 'APPLIED' as const }] };
    expect(await commitStep(store, parent, 2, canceled, handled)).toEqual({ kind: 'accepted' });
    expect(await version()).toBe(marked);
  });

  it('is refused for an instance that is being canceled or has ended', async () => {
    const workflowID = await start(store);
    const cancel = () => cancelInstance(store.database, { workflowID, projectID, awaited: false });
    const answers = await Promise.all(Array.from({ length: 10 }, cancel));
    expect(answers.filter(({ kind }) => kind === 'submitted')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'INSTANCE_ENDED')).toHaveLength(9);
  });

  it('never waits in a circle with ends, incidents and calls of the same family', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { parent, child } = await family();
      const processID = `called-${randomUUID()}`;
      await deploy(store, processID);
      const grandchild = randomUUID();
      await commitStep(store, child, 2, called(processID, grandchild, { kind: 'latest' }, 2));
      /** Writes step commits until one is refused because the cancel was first. */
      const areTaken = async (workflowID: string, first: number, commits: Fact[][]): Promise<boolean> => {
        for (const [index, facts] of commits.entries())
          if ((await commitStep(store, workflowID, first + index, facts)).kind === 'paused') return false;
        return true;
      };
      const [, belowTaken, childTaken, parentTaken] = await Promise.all([
        cancelInstance(store.database, { workflowID: parent, projectID, awaited: false }),
        areTaken(grandchild, 1, [
          [...began, incident(2)],
          [{ kind: 'INCIDENT_WITHDRAWN', incident: 2 }, { kind: 'INSTANCE_COMPLETED' }],
        ]),
        areTaken(child, 3, [
          [incident(9)],
          [
            { kind: 'INCIDENT_WITHDRAWN', incident: 9 },
            { kind: 'CHILD_CANCELED', child: 3, workflowID: grandchild },
            { kind: 'INSTANCE_COMPLETED' },
          ],
        ]),
        areTaken(parent, 2, [[incident(9)]]),
      ]);
      expect((await instance(child)).status).toBe(childTaken ? 'COMPLETED' : 'RUNNING');
      expect((await instance(grandchild)).status).toBe(belowTaken ? 'COMPLETED' : 'RUNNING');
      if (parentTaken) expect((await instance(parent)).hasIncident).toBe(true);
    }
  });

  it('lets nothing of what it stops move but its own end', async () => {
    const { parent, child } = await family();
    await cancelInstance(store.database, { workflowID: parent, projectID, awaited: false });
    for (const workflowID of [parent, child])
      expect(await commitStep(store, workflowID, 2, [{ kind: 'INSTANCE_COMPLETED' }])).toMatchObject({
        kind: 'paused',
      });
    const cancel: Fact[] = [
      { kind: 'CHILD_CANCELED', child: 3, workflowID: child },
      { kind: 'INSTANCE_CANCELED' },
      { kind: 'COMMAND_HANDLED', number: 1 },
    ];
    const handled = { inputs: { now: 1, lastCommand: 1 }, outcomes: [{ number: 1, status: 'APPLIED' as const }] };
    expect(await commitStep(store, parent, 2, cancel, handled)).toEqual({ kind: 'accepted' });
    expect(
      await commitStep(
        store,
        child,
        2,
        [{ kind: 'INSTANCE_CANCELED' }, { kind: 'COMMAND_HANDLED', number: 1 }],
        handled,
      ),
    ).toEqual({ kind: 'accepted' });
    expect(
      await valueOf(store, 'SELECT count(*)::int AS value FROM pause_waiters WHERE workflow_id = ANY($1)', [
        [parent, child],
      ]),
    ).toBe(0);
  });
});

describe('an incident', () => {
  it('counts for every instance above', async () => {
    const { parent, child } = await family();
    await commitStep(store, child, 2, [incident(5)]);
    expect([(await instance(parent)).hasIncident, (await instance(child)).hasIncident]).toEqual([true, true]);
    const list = async (includeChildren: boolean) =>
      (
        await listIncidents(
          store.database,
          projectID,
          { workflowID: parent, includeChildren },
          { page: 1, pageSize: 10 },
        )
      ).data.map(({ workflowID }) => workflowID);
    expect(await list(false)).toEqual([]);
    expect(await list(true)).toEqual([child]);
    await commitStep(store, child, 3, [{ kind: 'INCIDENT_RESOLVED', incident: 5 }]);
    expect([(await instance(parent)).hasIncident, (await instance(child)).hasIncident]).toEqual([false, false]);
  });
});

describe('failing an instance from outside', () => {
  it('ends what it waits for and tells its caller, its children and those who asked something of it', async () => {
    const { parent, child } = await family();
    const processID = `called-${randomUUID()}`;
    await deploy(store, processID);
    const grandchild = randomUUID();
    await commitStep(store, child, 2, [
      ...called(processID, grandchild, { kind: 'latest' }, 2),
      ...jobCreated(4),
      incident(6),
    ]);
    await submit(store, child, { kind: 'SET_VARIABLES', variables: {} });
    expect(await failInstance(store.database, child, 'The workflow was terminated')).toBe(true);
    expect(await instance(child)).toMatchObject({
      status: 'FAILED',
      failureReason: 'The workflow was terminated',
      hasIncident: false,
    });
    expect((await instance(parent)).hasIncident).toBe(false);
    expect(await jobOf(store, child, 5)).toMatchObject({
      status: 'CANCELED',
      cancelReason: 'The workflow was terminated',
    });
    expect(await readOutcome(store.database, child, 1)).toMatchObject({ code: 'INSTANCE_ENDED' });
    expect((await loadCommands(store.database, parent, [1]))[0]).toMatchObject({
      outcome: { status: 'CANCELED', reason: 'The workflow was terminated' },
    });
    expect((await loadCommands(store.database, grandchild, [1]))[0]).toMatchObject({ kind: 'CANCEL_INSTANCE' });
    const { state } = await stateAt(store.database, child);
    expect(state).toMatchObject({ status: 'FAILED', waits: {}, incidents: {} });
    const { data: history } = await listHistory(store.database, child, graphOf('p'), { page: 1, pageSize: 100 });
    expect(history.map(({ status }) => status)).toEqual(['Canceled', 'Canceled']);
  });

  it('also ends one that never started, and happens once', async () => {
    const workflowID = await start(store);
    const answers = await Promise.all([
      failInstance(store.database, workflowID, 'r'),
      failInstance(store.database, workflowID, 'r'),
    ]);
    expect(answers.sort()).toEqual([false, true]);
    expect((await instance(workflowID)).status).toBe('FAILED');
    expect(await failInstance(store.database, 'nobody', 'r')).toBe(false);
    expect((await unstartedInstances(store.database, 1_000)).map((due) => due.workflowID)).not.toContain(workflowID);
  });

  it('releases the job of a worker', async () => {
    const workflowID = await startWithJob(store, 'orphan');
    await failInstance(store.database, workflowID, 'r');
    expect(await jobOf(store, workflowID, 3)).toMatchObject({ status: 'CANCELED' });
  });
});
