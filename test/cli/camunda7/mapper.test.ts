/** Instances of Camunda 7 as imports. */
import { describe, expect, it } from 'vitest';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  eventBasedGateway,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  startEvent,
  subProcess,
  task,
  userTask,
} from '@perdure/testkit/models';
import { mapInstance, type MoveMap } from '../../../packages/cli/camunda7/mapper.js';
import { sourceRest } from '../../../packages/cli/camunda7/rest.js';
import { readSnapshot, SourceModels } from '../../../packages/cli/camunda7/snapshot.js';
import { activity, startEngine, variable, type EngineDefinition, type EngineInstance } from './support/engine.js';

const xml = processModel(
  'order',
  [
    startEvent('start'),
    parallelGateway('fork'),
    userTask('approve'),
    subProcess('packing', [startEvent('s'), userTask('pack'), endEvent('e')], ['p1: s -> pack', 'p2: pack -> e']),
    boundaryEvent('late', 'packing', on.timer('P9D')),
    boundaryEvent('failed', 'packing', on.error()),
    userTask('sign', { loop: multiInstance('=signers') }),
    eventBasedGateway('either'),
    catchEvent('paid', on.signal('paid')),
    catchEvent('overdue', on.timer('P30D')),
    callActivity('deliver', 'delivery'),
    parallelGateway('join'),
    task('chase'),
    endEvent('end'),
  ],
  [
    'a: start -> fork',
    ...['approve', 'packing', 'sign', 'deliver'].flatMap((id) => [`f_${id}: fork -> ${id}`, `t_${id}: ${id} -> join`]),
    'f_either: fork -> either',
    'g1: either -> paid',
    'g2: either -> overdue',
    't_paid: paid -> chase',
    't_overdue: overdue -> chase',
    't_chase: chase -> join',
    'l: late -> end',
    'm: failed -> end',
    'z: join -> end',
  ],
);

const timer = (id: string, activityId: string) => ({ id, jobType: 'timer-transition', activityId });
const definition: EngineDefinition = {
  id: 'order:1:a',
  xml,
  jobDefinitions: [
    timer('jd-late', 'late'),
    timer('jd-overdue', 'overdue'),
    { id: 'jd-async', jobType: 'async-continuation', jobConfiguration: 'async-before', activityId: 'chase' },
    { id: 'jd-after', jobType: 'async-continuation', jobConfiguration: 'async-after', activityId: 'approve' },
  ],
};
const delivery: EngineDefinition = { id: 'delivery:1:b', xml: processModel('delivery', [task('drive')], []) };

async function mapped(
  instance: Omit<EngineInstance, 'id' | 'definitionId'>,
  map: MoveMap = {},
  called: EngineInstance[] = [],
) {
  const engine = await startEngine([definition, delivery]);
  try {
    for (const one of [{ id: 'i1', definitionId: definition.id, ...instance }, ...called])
      engine.instances.set(one.id, one);
    const rest = sourceRest(engine.url, new AbortController().signal);
    return mapInstance(await readSnapshot(rest, new SourceModels(rest), 'i1'), map);
  } finally {
    await engine.close();
  }
}

describe('an instance of Camunda 7', () => {
  it('keeps its key, its start, its variables, and its user tasks with people and comments', async () => {
    const approve = activity('userTask', 'approve');
    const { given, problems, notes, processID } = await mapped({
      businessKey: 'order-17',
      children: [approve],
      variables: [variable('i1', 'total', 'Integer', 7), variable(approve.id, 'draft', 'String', 'x')],
      tasks: [
        {
          id: 't1',
          executionId: `x-${approve.id}`,
          assignee: 'ann',
          created: '2026-01-06T09:30:00.000+0000',
          due: '2026-02-01T00:00:00.000+0000',
          priority: 150,
          links: [
            { type: 'assignee', userId: 'ann' },
            { type: 'candidate', groupId: 'clerks' },
          ],
          comments: [{ userId: 'ben', time: '2026-01-07T10:00:00.000+0000', message: 'call first' }],
        },
      ],
    });
    expect({ processID, problems }).toEqual({ processID: 'order', problems: [] });
    expect(given).toEqual({
      source: { system: 'camunda7', id: 'i1' },
      businessId: 'order-17',
      createdAt: '2026-01-05T08:00:00.000Z',
      startedBy: 'demo',
      variables: { total: 7 },
      tokens: [
        {
          nodeID: 'approve',
          variables: { draft: 'x' },
          task: {
            assignee: 'ann',
            candidateUsers: [],
            candidateGroups: ['clerks'],
            priority: 100,
            createdAt: '2026-01-06T09:30:00.000Z',
            dueDate: '2026-02-01T00:00:00.000Z',
          },
        },
      ],
      comments: [{ tokenIndex: 0, text: 'call first', author: 'ben', createdAt: '2026-01-07T10:00:00.000Z' }],
    });
    expect(notes).toEqual(['approve: priority 150 becomes 100']);
  });

  it('keeps its scopes with the boundary events that still listen, and their due times', async () => {
    const packing = activity('subProcess', 'packing', { childActivityInstances: [activity('userTask', 'pack')] });
    const dueDate = '2026-02-01T00:00:00.000+0000';
    const jobs = [{ id: 'j1', jobDefinitionId: 'jd-late', executionId: `x-${packing.id}`, dueDate }];
    const listening = (await mapped({ children: [packing], jobs })).given.scopes![0]!.listening;
    expect(listening).toEqual([{ nodeID: 'late', dueAt: '2026-02-01T00:00:00.000Z' }, { nodeID: 'failed' }]);
    const { given } = await mapped({ children: [packing] }, { nodes: { pack: 'wrap', packing: 'wrapping' } });
    expect(given.scopes).toEqual([{ key: packing.id, nodeID: 'wrapping', listening: [{ nodeID: 'failed' }] }]);
    expect(given.tokens).toEqual([{ nodeID: 'wrap', scopeKey: packing.id }]);
  });

  it('keeps the open instances of a multi-instance activity, without the counters of the engine', async () => {
    const inner = [2, 0].map((index) => activity('userTask', 'sign', { id: `sign:${index}` }));
    const body = activity('multiInstanceBody', 'sign#multiInstanceBody', {
      id: 'body',
      childActivityInstances: inner,
      // One that is done.
      childTransitionInstances: [{ id: 'sign:1', activityId: 'sign', executionId: 'x-sign:1' }],
    });
    const { given, problems } = await mapped({
      children: [body],
      variables: [
        variable('body', 'nrOfInstances', 'Integer', 3),
        variable('body', 'nrOfCompletedInstances', 'Integer', 1),
        variable('sign:2', 'loopCounter', 'Integer', 2),
        variable('sign:2', 'item', 'String', 'zoe'),
        variable('sign:0', 'loopCounter', 'Integer', 0),
      ],
    });
    expect(problems).toEqual([]);
    expect(given.tokens).toEqual([
      { nodeID: 'sign', variables: { item: 'zoe' }, multiInstance: { index: 2, completed: 1 } },
      { nodeID: 'sign', multiInstance: { index: 0, completed: 1 } },
    ]);
  });

  it('keeps a join with the flows that must have arrived, and says when several answers are possible', async () => {
    const joins = (count: number) =>
      Array.from({ length: count }, (_, index) => activity('parallelGateway', 'join', { id: `join:${index}` }));
    const others = [activity('userTask', 'approve'), activity('callActivity', 'deliver')];
    const called: EngineInstance = {
      id: 'c1',
      definitionId: delivery.id,
      calledBy: { instance: 'i1', activity: 'deliver:1' },
      children: [activity('serviceTask', 'drive')],
    };
    const clear = await mapped({ children: [...joins(3), ...others] }, {}, [called]);
    expect(clear.problems).toEqual([]);
    expect(clear.given.tokens[0]).toEqual({ nodeID: 'join', arrived: ['t_packing', 't_sign', 't_chase'] });
    const unclear = await mapped({ children: [...joins(2), ...others] }, {}, [called]);
    expect(unclear.problems).toEqual([expect.stringMatching(/^join: several answers/)]);
  });

  it('keeps the due time of an event-based gateway, retries of jobs, and incidents', async () => {
    const either = activity('eventBasedGateway', 'either');
    const chase = activity('serviceTask', 'chase');
    const approve = activity('userTask', 'approve');
    const { given, problems } = await mapped({
      children: [either, chase, approve],
      jobs: [
        {
          id: 'j1',
          jobDefinitionId: 'jd-overdue',
          executionId: `x-${either.id}`,
          dueDate: '2020-01-01T00:00:00.000+0000',
        },
      ],
      externalTasks: [{ id: 'e1', activityInstanceId: chase.id, retries: 2 }],
      incidents: [
        { incidentType: 'failedJob', incidentMessage: null, activityId: 'approve', executionId: `x-${approve.id}` },
      ],
    });
    expect(problems).toEqual([]);
    expect(given.tokens).toEqual([
      { nodeID: 'either', dueAt: '2020-01-01T00:00:00.000Z' },
      { nodeID: 'chase', retries: 2 },
      { nodeID: 'approve', incident: { type: 'failedJob', message: 'The engine gave no reason.' } },
    ]);
  });

  it('brings what it calls, and cannot move if the call activity is unknown', async () => {
    const called: EngineInstance = {
      id: 'c1',
      definitionId: delivery.id,
      calledBy: { instance: 'i1', activity: 'deliver:1' },
      children: [activity('serviceTask', 'drive')],
    };
    const deliver = activity('callActivity', 'deliver');
    const { given, problems } = await mapped({ children: [deliver] }, {}, [called]);
    expect(problems).toEqual([]);
    expect(given.called).toMatchObject([
      { tokenIndex: 0, instance: { processId: 'delivery', source: { id: 'c1' }, tokens: [{ nodeID: 'drive' }] } },
    ]);
    const lost = { ...called, calledBy: { instance: 'i1', activity: 'other' } };
    expect((await mapped({ children: [deliver] }, {}, [lost])).problems).toEqual([
      'deliver: the instance that it has called is unknown',
    ]);
  });

  it('cannot move while an asynchronous continuation has not run, but with the incident of one before its node', async () => {
    const transition = (activityId: string) => ({ id: 'tr', activityId, executionId: 'x-tr' });
    const waiting = (activityId: string, jobDefinitionId: string, incidents: EngineInstance['incidents'] = []) => {
      const packing = activity('subProcess', 'packing', { childTransitionInstances: [transition(activityId)] });
      return mapped({ children: [packing], jobs: [{ id: 'j1', jobDefinitionId, executionId: 'x-tr' }], incidents });
    };
    expect((await waiting('chase', 'jd-async')).problems).toEqual([
      expect.stringMatching(/^chase: waits for an asynchronous continuation before it/),
    ]);
    // An event sub-process that began later has made the engine move the job to another execution.
    const incident = {
      incidentType: 'failedJob',
      incidentMessage: 'boom',
      activityId: 'chase',
      executionId: 'x-before',
      configuration: 'j1',
    };
    const failed = await waiting('chase', 'jd-async', [incident]);
    expect(failed.problems).toEqual([]);
    expect(failed.given.tokens).toMatchObject([{ nodeID: 'chase', incident: { type: 'failedJob', message: 'boom' } }]);
    expect((await waiting('approve', 'jd-after', [{ ...incident, activityId: 'approve' }])).problems).toEqual([
      expect.stringMatching(/^approve: .* after it/),
    ]);
  });

  it('names every variable that is left out', async () => {
    const { given, notes } = await mapped({
      children: [activity('userTask', 'approve')],
      variables: [
        variable('i1', 'photo', 'File', null),
        variable('i1', 'order', 'Object', 'rO0AB', 'application/x-java-serialized-object'),
        variable('gone', 'stray', 'String', 'a'),
      ],
    });
    expect(given.variables).toEqual({});
    expect(notes).toEqual([
      expect.stringMatching(/^variable photo: skipped/),
      expect.stringMatching(/^variable order: skipped: serialized as application\/x-java-serialized-object/),
      expect.stringMatching(/^variable stray: skipped/),
    ]);
  });
});
