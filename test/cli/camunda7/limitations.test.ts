/**
 * The limitations that the vendor's own migration tool documents: the move does not have them, or the guide has the reason.
 * A test compares its table with the cases here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '@perdure/engine/state/state.js';
import {
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  eventSubProcess,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  receiveTask,
  root,
  sequenceModel,
  serviceTask,
  startEvent,
  subProcess,
  userTask,
  type Flows,
} from '@perdure/testkit/models';
import { repositoryRoot } from '../../../dev/repository.js';
import { mapInstance, type MappedInstance } from '../../../packages/cli/camunda7/mapper.js';
import { sourceRest, type ActivityInstance } from '../../../packages/cli/camunda7/rest.js';
import { readSnapshot, SourceModels } from '../../../packages/cli/camunda7/snapshot.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import type { GivenInstance } from '../../../packages/testkit/memory/imports.js';
import { activity, startEngine, variable, type EngineInstance } from './support/engine.js';

/** After instances have started there. */
const NOW = Date.parse('2026-06-01');
const LATER = '2035-01-01T00:00:00.000+0000';
const M = root.message('M', '=orderID');

/** The wait states of an instance, in a model with these elements. */
interface Given extends Partial<EngineInstance> {
  elements: readonly string[];
  flows: Flows;
  children: ActivityInstance[];
  /** Node ids of timers. */
  timers?: readonly string[];
  called?: { xml: string; children: ActivityInstance[] };
  hasHistory?: boolean;
}

async function mapped({ elements, flows, timers = [], called, hasHistory = true, ...instance }: Given) {
  const xml = processModel('order', elements, flows, [M]);
  const jobDefinitions = timers.map((id) => ({ id, jobType: 'timer-transition', activityId: id }));
  const definitions = [
    { id: 'order:1:a', xml, jobDefinitions },
    ...(called ? [{ id: 'below:1:b', xml: called.xml }] : []),
  ];
  const engine = await startEngine(definitions);
  engine.hasHistory = hasHistory;
  const { children, variables = [] } = instance;
  const all = [variable('i', 'orderID', 'String', 'o-1'), ...variables];
  engine.instances.set('i', { id: 'i', definitionId: 'order:1:a', ...instance, children, variables: all });
  if (called)
    engine.instances.set('c', {
      id: 'c',
      definitionId: 'below:1:b',
      calledBy: { instance: 'i', activity: 'call:1' },
      children: called.children,
    });
  try {
    const rest = sourceRest(engine.url, new AbortController().signal);
    return { xml, ...mapInstance(await readSnapshot(rest, new SourceModels(rest), 'i'), {}) };
  } finally {
    await engine.close();
  }
}

/** Moves it to a host. */
async function moved(given: Given): Promise<{ host: MemoryHost; instance: MemoryInstance } & MappedInstance> {
  const result = await mapped(given);
  expect(result.problems).toEqual([]);
  const host = await MemoryHost.deploy(...(given.called ? [given.called.xml] : []), result.xml);
  host.now = NOW;
  const instance = host.import({ ...result.given, processId: 'order' } as GivenInstance);
  return { host, instance, ...result };
}

const START = startEvent('s');
const END = endEvent('e');
const task = { elements: [START, userTask('t'), END], flows: 's -> t -> e' };
const atTask = { ...task, children: [activity('userTask', 't')] };
const waiting = ({ host, instance }: { host: MemoryHost; instance: MemoryInstance }) => host.waiting(instance);

const packing = subProcess('packing', [startEvent('ps'), userTask('pack'), endEvent('pe')], 'ps -> pack -> pe');
const inPacking = {
  elements: [START, packing, END],
  flows: 's -> packing -> e',
  children: [activity('subProcess', 'packing', { childActivityInstances: [activity('userTask', 'pack')] })],
};

/** By the first column of the guide's table; those without a test have their reason there. */
const limitations: Record<string, (() => Promise<void>) | 'has its reason in the guide'> = {
  'the history has to be at least of the level `activity`': async () => {
    const without = await moved({ ...atTask, hasHistory: false });
    expect(waiting(without)).toEqual(['userTask t']);
    expect(without.given).not.toHaveProperty('createdAt');
  },
  'each start event needs a listener of the tool, and each process a none start event': async () => {
    const elements = [startEvent('s', on.message('M')), userTask('t'), END];
    expect(waiting(await moved({ ...atTask, elements }))).toEqual(['userTask t']);
  },
  'users, groups, tenants, and authorizations stay behind': 'has its reason in the guide',
  'data that people set, such as a due date, is lost': async () => {
    const people = { links: [{ type: 'candidate', groupId: 'clerks' }], comments: [] };
    const row = { id: 't1', executionId: 'x-t:1', assignee: 'ann', due: LATER, priority: 70, ...people };
    const { given } = await moved({ ...atTask, tasks: [row] });
    expect(given.tokens[0]!.task).toMatchObject({
      assignee: 'ann',
      candidateGroups: ['clerks'],
      dueDate: '2035-01-01T00:00:00.000Z',
      priority: 70,
    });
  },
  'types of variables are not supported': async () => {
    const order = variable('i', 'order', 'Object', 'rO0AB', 'application/x-java-serialized-object');
    const { notes } = await moved({ ...atTask, variables: [order, variable('i', 'photo', 'File', null)] });
    expect(notes).toEqual([
      expect.stringMatching(/^variable order: skipped/),
      expect.stringMatching(/^variable photo/),
    ]);
  },
  'names of variables are restricted': async () => {
    const { instance } = await moved({ ...atTask, variables: [variable('i', 'net-price', 'Integer', 7)] });
    expect(instance.state.elements[ROOT]!.variables).toMatchObject({ 'net-price': 7 });
  },
  'variables of sub-processes are lost': async () => {
    const { host, instance } = await moved({
      ...inPacking,
      variables: [variable('packing:1', 'box', 'String', 'red')],
    });
    expect(host.waiting(instance)).toEqual(['userTask pack']);
    const scope = Object.values(instance.state.elements).find(({ node }) => node === 'packing');
    expect(scope!.variables).toEqual({ box: 'red' });
  },
  'incidents are lost': async () => {
    const incidents = [
      {
        incidentType: 'failedExternalTask',
        incidentMessage: 'no carrier',
        activityId: 'book',
        executionId: 'x-book:1',
      },
    ];
    const { instance } = await moved({
      elements: [START, serviceTask('book'), END],
      flows: 's -> book -> e',
      children: [activity('serviceTask', 'book')],
      incidents,
    });
    expect(Object.values(instance.state.incidents)).toMatchObject([{ node: 'book', message: 'no carrier' }]);
  },
  'elements that Camunda 8 does not have': 'has its reason in the guide',
  'instances that an event has started do not move': async () => {
    const elements = [startEvent('s', on.cycle('R/PT1H')), userTask('t'), END];
    expect(waiting(await moved({ ...atTask, elements }))).toEqual(['userTask t']);
  },
  'an asynchronous continuation is skipped': async () => {
    const childTransitionInstances = [{ id: 'tr', activityId: 't', executionId: 'x-tr' }];
    const outer = activity('subProcess', 'packing', { childTransitionInstances });
    const { problems } = await mapped({ ...inPacking, children: [outer] });
    expect(problems).toEqual([expect.stringMatching(/asynchronous continuation .* Let the engine finish it first/)]);
  },
  'only message events move, some after a variable is added': async () => {
    const { host, instance } = await moved({
      elements: [START, receiveTask('hear', 'M'), boundaryEvent('late', 'hear', on.timer('P9D')), END],
      flows: ['s -> hear -> e', 'late -> e'],
      children: [activity('receiveTask', 'hear')],
    });
    expect(host.waiting(instance)).toEqual(['subscription hear']);
    expect(Object.values(instance.state.waits)).toMatchObject([{ name: 'M', correlation: 'o-1' }]);
  },
  'a triggered boundary event can lose data': async () => {
    const childTransitionInstances = [{ id: 'tr', activityId: 'late', executionId: 'x-tr' }];
    const outer = activity('subProcess', 'packing', { childTransitionInstances });
    const elements = [START, packing, boundaryEvent('late', 'packing', on.timer('P9D')), END];
    const { problems } = await mapped({
      ...inPacking,
      elements,
      flows: ['s -> packing -> e', 'late -> e'],
      children: [outer],
    });
    expect(problems).toEqual([expect.stringMatching(/^late: waits for an asynchronous continuation/)]);
  },
  'call activities have to pass a variable of the tool': async () => {
    const below = sequenceModel('below', [userTask('load')]);
    const { host, instance } = await moved({
      elements: [START, callActivity('call', 'below', { propagateAllParentVariables: false }), END],
      flows: 's -> call -> e',
      children: [activity('callActivity', 'call')],
      called: { xml: below, children: [activity('userTask', 'load')] },
    });
    expect(host.waiting(instance)).toEqual(['child call']);
    expect([...host.instances.values()].flatMap((each) => host.waiting(each))).toContain('userTask load');
  },
  'active multi-instance activities do not move': async () => {
    const inner = [1, 2].map((index) => activity('userTask', 'sign', { id: `sign:${index}` }));
    const body = activity('multiInstanceBody', 'sign#multiInstanceBody', { id: 'b', childActivityInstances: inner });
    const { host, instance } = await moved({
      elements: [START, userTask('sign', { loop: multiInstance('=signers') }), END],
      flows: 's -> sign -> e',
      children: [body],
      variables: [
        variable('i', 'signers', 'Json', '["ann","ben","cem"]'),
        variable('b', 'nrOfCompletedInstances', 'Integer', 1),
        ...[1, 2].map((index) => variable(`sign:${index}`, 'loopCounter', 'Integer', index)),
      ],
    });
    expect(host.waiting(instance)).toEqual(['userTask sign', 'userTask sign']);
  },
  'joins at which a token waits do not move': async () => {
    const { host, instance } = await moved({
      elements: [START, parallelGateway('fork'), userTask('t'), userTask('u'), parallelGateway('join'), END],
      flows: ['s -> fork', 'fork -> t -> join', 'fork -> u -> join', 'join -> e'],
      children: [activity('userTask', 't'), activity('parallelGateway', 'join')],
    });
    expect(instance.state.arrived).toMatchObject([{ flow: 'u_join' }]);
    expect(host.waiting(instance)).toEqual(['userTask t']);
  },
  'timers must not fire during the move, and begin again': async () => {
    const hold = {
      elements: [START, catchEvent('hold', on.timer('PT1H')), END],
      flows: 's -> hold -> e',
      timers: ['hold'],
    };
    const children = [activity('intermediateTimer', 'hold')];
    const dueAt = (dueDate: string) => ({
      jobs: [{ id: 'j1', jobDefinitionId: 'hold', executionId: 'x-hold:1', dueDate }],
    });
    const { instance } = await moved({ ...hold, children, ...dueAt(LATER) });
    expect(Object.values(instance.state.waits)).toMatchObject([{ kind: 'timer', due: Date.parse('2035-01-01') }]);
    const overdue = await moved({ ...hold, children, ...dueAt('2020-01-01T00:00:00.000+0000') });
    expect(overdue.instance.state.status, 'it fires on arrival').toBe('COMPLETED');
    const counted = boundaryEvent('nag', 't', on.cycle('R3/PT1H'), { interrupting: false });
    const jobs = [{ id: 'j1', jobDefinitionId: 'nag', executionId: 'x-t:1', dueDate: LATER }];
    const nagged = { ...atTask, elements: [...task.elements, counted], flows: ['s -> t -> e', 'nag -> e'] };
    const { notes } = await moved({ ...nagged, timers: ['nag'], jobs });
    expect(notes).toEqual([expect.stringMatching(/^nag: its cycle has all repeats of the model again/)]);
  },
  'an interrupting event sub-process can run twice': async () => {
    const stop = eventSubProcess(
      'stop',
      [startEvent('ss', on.message('M')), userTask('undo'), endEvent('se')],
      'ss -> undo -> se',
    );
    const { host, instance } = await moved({
      elements: [...task.elements, stop],
      flows: task.flows,
      children: [activity('eventSubProcess', 'stop', { childActivityInstances: [activity('userTask', 'undo')] })],
    });
    expect(host.waiting(instance), 'its start event no longer listens').toEqual(['userTask undo']);
  },
};

it.each(Object.entries(limitations).filter(([, proof]) => typeof proof === 'function'))(
  "only the vendor's tool has the limitation: %s",
  (_limitation, proof) => (proof as () => Promise<void>)(),
);

it('the guide has each of them', () => {
  const guide = readFileSync(join(repositoryRoot, 'docs/how-to/move-running-instances.md'), 'utf8');
  const [, rows = ''] = /^\| limitation there \| here \|\n\|.+\n((?:\|.+\n)+)/m.exec(guide) ?? [];
  const named = [...rows.matchAll(/^\| (.+?) \| /gm)].map(([, limitation]) => limitation);
  expect(named).toEqual(Object.keys(limitations));
});
