/** Steps that Postgres refuses: for their content, which is an answer, or for the state of the installation, which passes. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Activities } from '../../activities/index.js';
import type { Exchange } from '@perdure/engine/contract/step-commit.js';
import type { Incident } from '@perdure/engine/state/state.js';
import { checkTemporal } from '../../host/admin/verify/temporal-rules.js';
import { firstRow } from '../../store/sql/database.js';
import { resumeInstance, suspendInstance } from '../../store/suspension/suspension.js';
import {
  callActivity,
  endEvent,
  on,
  processModel,
  scriptTask,
  serviceTask,
  startEvent,
  type Xml,
} from '@perdure/testkit/models';
import { installRefusals, type Refusals } from './support/refusals.js';
import { openTemporalHost, project, type TemporalHost } from './support/temporal-host.js';
import { eventually } from '../support/eventually.js';

let host: TemporalHost;
let refusals: Refusals;
/** Requests to the store that fail for an instance. The tests run at once, because their instances pause for seconds. */
const failing = new Map<string, Exchange['kind']>();
/** Instances whose requests are carried out, but whose answers are lost. */
const unanswered = new Set<string>();

function sometimes(activities: Activities): Activities {
  return {
    ...activities,
    async exchange(asked) {
      const { workflowID } = asked.kind === 'commit' ? asked.commit : asked;
      if (asked.kind === failing.get(workflowID)) throw new Error(`${asked.kind} was made to fail`);
      const answer = await activities.exchange(asked);
      if (asked.kind === 'commit' && unanswered.has(workflowID)) throw new Error('The answer was made to be lost');
      return answer;
    },
  };
}

function chain(id: string, ...nodes: [id: string, xml: Xml][]): string {
  const ids = ['start', ...nodes.map(([node]) => node)];
  const flows = nodes.map(([node], index) => `f${index}: ${ids[index]} -> ${node}`);
  return processModel(id, [startEvent('start'), ...nodes.map(([, xml]) => xml)], flows, [
    '<bpmn:error id="anyCode" errorCode="=code"/>',
  ]);
}

const work: [string, Xml] = ['work', serviceTask('work')];
const end: [string, Xml] = ['end', endEvent('end')];

beforeAll(async () => {
  host = await openTemporalHost({ wrap: sometimes });
  refusals = await installRefusals(host.store);
  await host.deploy(chain('failing', work, ['throw', endEvent('throw', on.error('anyCode'))]));
  await host.deploy(chain('callingFailing', ['call', callActivity('call', 'failing')], end));
  await host.deploy(chain('computing', work, ['compute', scriptTask('compute', '="poi" + "son"', 'computed')], end));
  await host.deploy(chain('working', work, end));
  await host.deploy(chain('twoJobs', work, ['more', serviceTask('more')], end));
  // Too large to be part of the input of its workflow.
  const many = Array.from({ length: 200 }, (_, index): [string, Xml] => [`w${index}`, serviceTask(`w${index}`)]);
  await host.deploy(chain('large', ...many, end));
  await host.deploy(chain('child', work, end));
  await host.deploy(
    chain('callingChild', ['call', callActivity('call', 'child', { propagateAllChildVariables: true })], end),
  );
});
afterAll(() => host.close());

async function incidentOf(id: string): Promise<Incident> {
  return eventually('the incident', async () => Object.values((await host.state(id)).incidents)[0]);
}

async function isEndedAndReplays(id: string, status: string): Promise<void> {
  expect((await host.ended(id)).status).toBe(status);
  await host.handle(id).result();
  await host.replay(id);
}

describe.concurrent('an error code of 8 KB that nothing catches', () => {
  const code = randomBytes(4096).toString('hex');

  test('is an incident of the end event, and the instance hears a cancel', async () => {
    const id = await host.start('failing', { code });
    expect(await host.completeJob(id, 'work')).toMatchObject({ status: 'APPLIED' });
    expect(await incidentOf(id)).toMatchObject({ node: 'throw', errorType: 'FeelError', errorCode: 'TEXT_TOO_LONG' });
    expect(await host.command(id, { kind: 'CANCEL_INSTANCE' })).toMatchObject({ status: 'APPLIED' });
    await isEndedAndReplays(id, 'CANCELED');
  });

  test('of a called process does not stop the caller either', async () => {
    const id = await host.start('callingFailing', { code });
    const { workflowID: child } = (await host.wait(id, 'child', 'call')) as unknown as { workflowID: string };
    await host.completeJob(child, 'work');
    expect(await incidentOf(child)).toMatchObject({ errorCode: 'TEXT_TOO_LONG' });
    await host.command(id, { kind: 'CANCEL_INSTANCE' });
    await isEndedAndReplays(id, 'CANCELED');
    await isEndedAndReplays(child, 'CANCELED');
  });
});

describe.concurrent.each([
  ['22000', null],
  ['54000', null],
  ['23514', 'jobs_status_check'],
])('a step that the database refuses with %s', (sqlState, constraint) => {
  test('halts the instance at an incident; what led to it is kept, and a cancel ends it', async () => {
    const id = await host.start('computing');
    await refusals.add(id, 'poison', { sqlState, constraint });
    expect(await host.completeJob(id, 'work')).toMatchObject({ status: 'APPLIED' });
    const incident = await incidentOf(id);
    expect(incident).toMatchObject({ errorType: 'EngineError', errorCode: 'UNSTORABLE' });
    expect(incident.message).toContain('refused on purpose');
    expect(await host.command(id, { kind: 'CANCEL_INSTANCE' })).toMatchObject({ status: 'APPLIED' });
    await isEndedAndReplays(id, 'CANCELED');
  });
});

test.concurrent('a refusal that quotes what cannot be stored is an incident without the quotation', async () => {
  const id = await host.start('computing');
  await refusals.add(id, 'poison', { quote: 'because of poison' });
  await host.completeJob(id, 'work');
  expect((await incidentOf(id)).message).toContain('the log of the worker has it');
  await host.command(id, { kind: 'CANCEL_INSTANCE' });
  await isEndedAndReplays(id, 'CANCELED');
});

test.concurrent('an instance whose step is refused is modified, then resolved, and completes', async () => {
  const id = await host.start('computing');
  await refusals.add(id, 'poison');
  await host.completeJob(id, 'work');
  const { id: incident } = await incidentOf(id);
  const resolve = { kind: 'RESOLVE_INCIDENT', incident } as const;
  const rejected = await host.command(id, resolve);
  expect(rejected).toMatchObject({ status: 'REJECTED', code: 'CONFLICT' });
  expect(rejected.message).toContain('refused on purpose');
  expect(await host.command(id, { kind: 'SET_VARIABLES', variables: { corrected: true } })).toMatchObject({
    status: 'APPLIED',
  });
  const moved = await host.command(id, {
    kind: 'MODIFY',
    instructions: [
      { type: 'CANCEL_TOKEN', nodeID: 'compute' },
      { type: 'START_BEFORE_NODE', nodeID: 'end' },
    ],
  });
  expect(moved).toMatchObject({ status: 'APPLIED' });
  expect(await host.command(id, resolve)).toMatchObject({ status: 'APPLIED' });
  await isEndedAndReplays(id, 'COMPLETED');
  expect((await host.state(id)).elements[1]?.variables ?? {}).not.toHaveProperty('computed');
});

test.concurrent('an instance whose step is refused continues when it is resolved after the cause is gone', async () => {
  const id = await host.start('computing');
  await refusals.add(id, 'poison');
  await host.completeJob(id, 'work');
  const { id: incident } = await incidentOf(id);
  await refusals.clear(id);
  expect(await host.command(id, { kind: 'RESOLVE_INCIDENT', incident })).toMatchObject({ status: 'APPLIED' });
  await isEndedAndReplays(id, 'COMPLETED');
});

test.concurrent.each(['53100', '57014', '42703', '58030', '25006', 'XX000'])(
  'a refusal with %s is repeated until it passes, and the instance continues',
  async (sqlState) => {
    const id = await host.start('computing');
    await host.wait(id, 'job', 'work');
    await refusals.add(id, 'poison', { sqlState });
    const { id: job } = await host.wait(id, 'job', 'work');
    const command = await host.write(id, { kind: 'COMPLETE_JOB', execution: job });
    await host.instances.signal(id, command);
    await eventually('a pause between attempts', async () =>
      (await host.events(id)).includes('TimerStarted') ? true : undefined,
    );
    await refusals.clear(id);
    await isEndedAndReplays(id, 'COMPLETED');
    expect((await host.state(id)).incidents).toEqual({});
  },
);

test.concurrent('a command that cannot be stored is rejected with the reason, and the others are applied', async () => {
  const id = await host.start('working');
  await host.wait(id, 'job', 'work');
  await refusals.add(id, 'poison');
  const commands = [
    await host.write(id, { kind: 'SET_VARIABLES', variables: { a: 1 } }),
    await host.write(id, { kind: 'SET_VARIABLES', variables: { b: 'poison' } }),
    await host.write(id, { kind: 'SET_VARIABLES', variables: { c: 3 } }),
  ];
  for (const command of commands) await host.instances.signal(id, command);
  expect(await host.outcome(id, 1)).toMatchObject({ status: 'APPLIED' });
  expect(await host.outcome(id, 2)).toMatchObject({
    status: 'REJECTED',
    message: expect.stringContaining('refused on purpose'),
  });
  expect(await host.outcome(id, 3)).toMatchObject({ status: 'APPLIED' });
  expect((await host.state(id)).incidents).toEqual({});
  await host.completeJob(id, 'work');
  await isEndedAndReplays(id, 'COMPLETED');
  expect((await host.state(id)).elements[1]!.variables).toEqual({ a: 1, c: 3 });
});

test.concurrent(
  'a command that cannot be stored during a suspension is rejected, and the instance is resumed as before',
  async () => {
    const id = await host.start('working');
    await host.wait(id, 'job', 'work');
    await suspendInstance(host.store, { projectID: project, workflowID: id, actor: 'ada' });
    await refusals.add(id, 'poison');
    expect(await host.command(id, { kind: 'SET_VARIABLES', variables: { b: 'poison' } })).toMatchObject({
      status: 'REJECTED',
    });
    expect(await host.command(id, { kind: 'SET_VARIABLES', variables: { c: 3 } })).toMatchObject({ status: 'APPLIED' });
    await resumeInstance(host.store, { projectID: project, workflowID: id, actor: 'ada' });
    await host.completeJob(id, 'work');
    await isEndedAndReplays(id, 'COMPLETED');
  },
);

test.concurrent(
  'a result of a called process that cannot be stored halts the caller, which hears a cancel',
  async () => {
    const id = await host.start('callingChild');
    await refusals.add(id, 'poison');
    const { workflowID: child } = (await host.wait(id, 'child', 'call')) as unknown as { workflowID: string };
    await host.completeJob(child, 'work', { result: 'poison' });
    const incident = await incidentOf(id);
    expect(incident).toMatchObject({ errorType: 'EngineError', errorCode: 'UNSTORABLE' });
    await host.command(id, { kind: 'CANCEL_INSTANCE' });
    await isEndedAndReplays(id, 'CANCELED');
  },
);

describe.concurrent('a cancel ends an instance', () => {
  test('whose start cannot be stored, not even with an incident', async () => {
    const id = await host.start('working', { given: 'poison' }, { prepare: (id) => refusals.add(id, 'poison') });
    await eventually('a pause between attempts', async () =>
      (await host.events(id)).includes('TimerStarted') ? true : undefined,
    );
    expect(await host.command(id, { kind: 'CANCEL_INSTANCE' })).toMatchObject({ status: 'APPLIED' });
    await isEndedAndReplays(id, 'CANCELED');
  });

  test('whose definition cannot be loaded', async () => {
    const id = await host.start('large', {}, { prepare: (id) => void failing.set(id, 'read') });
    await eventually('a pause between attempts', async () =>
      (await host.events(id)).includes('TimerStarted') ? true : undefined,
    );
    await host.instances.signal(id, await host.write(id, { kind: 'CANCEL_INSTANCE' }));
    await isEndedAndReplays(id, 'CANCELED');
  });

  test.each(['commit', 'read'] as const)('whose %s fails whatever is done', async (name) => {
    const id = await host.start('working');
    const { id: job } = await host.wait(id, 'job', 'work');
    failing.set(id, name);
    const command = await host.write(id, { kind: 'COMPLETE_JOB', execution: job });
    await host.client.workflow
      .getHandle(id)
      .signal('command', { number: command.number, reference: true, kind: command.kind });
    await eventually('a pause between attempts', async () =>
      (await host.events(id)).includes('TimerStarted') ? true : undefined,
    );
    await host.instances.signal(id, await host.write(id, { kind: 'CANCEL_INSTANCE' }));
    await isEndedAndReplays(id, 'CANCELED');
    expect(await host.outcome(id, 2)).toMatchObject({ status: 'APPLIED' });
    expect(await host.outcome(id, 1)).toMatchObject({ status: 'REJECTED' });
  });

  test('whose commit is written, but never answered, and verify finds no difference', async () => {
    const id = await host.start('twoJobs');
    const { id: job } = await host.wait(id, 'job', 'work');
    unanswered.add(id);
    await host.instances.signal(id, await host.write(id, { kind: 'COMPLETE_JOB', execution: job }));
    await host.wait(id, 'job', 'more');
    await eventually('a pause between attempts', async () =>
      (await host.events(id)).includes('TimerStarted') ? true : undefined,
    );
    await host.instances.signal(id, await host.write(id, { kind: 'CANCEL_INSTANCE' }));
    await isEndedAndReplays(id, 'CANCELED');
    const { stepCount } = (await firstRow<{ stepCount: number }>(
      host.store,
      'SELECT step_count AS "stepCount" FROM instances WHERE workflow_id = $1',
      [id],
    ))!;
    expect(stepCount).toBe(3);
    expect(await checkTemporal(host.client, { workflowID: id, status: 'CANCELED', stepCount })).toEqual([]);
  });

  test('whose workflow is canceled in Temporal while its steps cannot be written', async () => {
    const id = await host.start('working');
    const { id: job } = await host.wait(id, 'job', 'work');
    failing.set(id, 'commit');
    await host.instances.signal(id, await host.write(id, { kind: 'COMPLETE_JOB', execution: job }));
    await eventually('a pause between attempts', async () =>
      (await host.events(id)).includes('TimerStarted') ? true : undefined,
    );
    await host.handle(id).cancel();
    await isEndedAndReplays(id, 'CANCELED');
  });
});

test.concurrent('an instance whose commits wait for the next command halts as well, and keeps the result', async () => {
  const hot = await openTemporalHost({ hot: true });
  try {
    const refused = await installRefusals(hot.store);
    await hot.deploy(chain('computing', work, ['compute', scriptTask('compute', '="poi" + "son"', 'computed')], end));
    const id = await hot.start('computing');
    await refused.add(id, 'poison');
    expect(await hot.completeJob(id, 'work', { result: 1 })).toMatchObject({ status: 'APPLIED' });
    const incident = await eventually('the incident', async () => Object.values((await hot.state(id)).incidents)[0]);
    expect(incident).toMatchObject({ errorCode: 'UNSTORABLE' });
    await refused.clear();
    expect(await hot.command(id, { kind: 'RESOLVE_INCIDENT', incident: incident.id })).toMatchObject({
      status: 'APPLIED',
    });
    expect((await hot.ended(id)).status).toBe('COMPLETED');
    expect((await hot.state(id)).elements[1]!.variables).toEqual({ result: 1, computed: 'poison' });
  } finally {
    await hot.close();
  }
});
