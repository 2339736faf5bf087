/** Random instances, exported at any moment and imported again: each ends as its twin. */
import { expect, it } from 'vitest';
import { ROOT, type ElementInstance, type Incident, type State, type Wait } from '@perdure/engine/state/state.js';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  boundaryEvent,
  callActivity,
  catchEvent,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  inclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  processModel,
  root,
  serviceTask,
  startEvent,
  subProcess,
  userTask,
} from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';
import { exported } from '../support/exported.js';
import { keptSeeds } from './kept-seeds.js';
import { Random } from './random.js';
import { base, playSeed, scale, scaled, seedsFrom } from './seeds.js';
import { expectSound, startRandom, stimulateAny } from './stimuli.js';

const MODELS = scaled(100);
const PATHS = scaled(75);
const MAX_STIMULI = 60;

/** Every kind of scope and wait, next to each other. */
const scopes = simpleModel(
  [
    parallelGateway('fork'),
    subProcess(
      'each',
      [
        startEvent('es'),
        parallelGateway('split'),
        serviceTask('left'),
        userTask('right'),
        parallelGateway('meet'),
        endEvent('ee'),
        eventSubProcess(
          'note',
          [startEvent('ns', on.message('M'), { interrupting: false }), serviceTask('noted')],
          ['n1: ns -> noted'],
        ),
      ],
      [
        'a1: es -> split',
        'a2: split -> left',
        'a3: split -> right',
        'a4: left -> meet',
        'a5: right -> meet',
        'a6: meet -> ee',
      ],
      { loop: multiInstance('=[1,2,3]', { sequential: true, output: '=item', into: 'results' }) },
    ),
    boundaryEvent('late', 'each', on.cycle('R3/PT1H'), { interrupting: false }),
    serviceTask('many', {
      loop: multiInstance('=[1,2,3,4]', {
        output: '=item * 2',
        into: 'doubled',
        until: '=numberOfCompletedInstances = 3',
      }),
    }),
    boundaryEvent('stopMany', 'many', on.timer('PT3H')),
    adHocSubProcess('free', [serviceTask('one'), serviceTask('two')], [], { activeElements: '=["one", "two"]' }),
    callActivity('call', 'other'),
    eventBasedGateway('choice'),
    catchEvent('wait', on.timer('PT2H')),
    catchEvent('hear', on.message('M')),
    catchEvent('hold', on.condition('=go = true')),
    inclusiveGateway('some'),
    parallelGateway('join'),
    endEvent('e'),
    endEvent('e2'),
    eventSubProcess('stop', [startEvent('ss', on.message('N')), serviceTask('stopped')], ['s1: ss -> stopped']),
  ],
  [
    'f1: s -> fork',
    'f2: fork -> each',
    'f3: fork -> many',
    'f4: fork -> free',
    'f5: fork -> call',
    'f6: fork -> choice',
    'f7: fork -> hold',
    'f8: each -> some',
    'f9: many -> some',
    'f10: stopMany -> some',
    'f11: free -> some',
    'f12: call -> join',
    'f13: choice -> wait',
    'f14: choice -> hear',
    'f15: wait -> join',
    'f16: hear -> e2',
    'f17: hold -> join',
    'f18: some -> join',
    'f19: join -> e',
    'f20: late -> e2',
  ],
  [root.message('M'), root.message('N')],
);
const test = { file: 'test/engine/random/imports.test.ts', kept: 'imports' };

it(
  `instances of ${MODELS} random models end as their imported twins do (RANDOM_SEED=${base})`,
  { timeout: 240_000 * scale },
  async () => {
    let compared = 0;
    for (const seed of seedsFrom(keptSeeds.imports, MODELS))
      await playSeed(seed, test, async () => {
        const random = new Random(seed);
        const { host, instance } = await startRandom(random);
        compared += playTwin(host, instance, random, seed);
      });
    expect(compared).toBeGreaterThan(MODELS / 3);
  },
);

it(
  `instances with all kinds of scopes end as their imported twins do (RANDOM_SEED=${base})`,
  { timeout: 240_000 * scale },
  async () => {
    const other = processModel('other', [startEvent('s'), serviceTask('inside')], ['f: s -> inside']);
    let compared = 0;
    for (const seed of seedsFrom(keptSeeds.imports, PATHS))
      await playSeed(seed, test, async () => {
        const random = new Random(seed);
        const host = await MemoryHost.deploy(other, scopes);
        compared += playTwin(host, host.start('p', { go: false, bad: false }), random, seed);
      });
    expect(compared).toBeGreaterThan(PATHS / 2);
  },
);

/** @returns 1 if there was a moment to export it at */
function playTwin(host: MemoryHost, instance: MemoryInstance, random: Random, seed: number): 0 | 1 {
  const before = random.below(12);
  for (let stimulus = 0; stimulus < before && instance.state.status === 'RUNNING'; stimulus += 1)
    stimulateAny(host, instance, random);
  const given = exported(host, instance);
  if (!given) return 0;
  const twins = new MemoryHost();
  for (const model of new Set([...host.instances.values()].map((each) => each.model)))
    twins.add([{ processID: model.graph.processID, graph: model.graph }]);
  twins.now = host.now;
  const twin = twins.import(given);
  for (let stimulus = 0; stimulus < MAX_STIMULI; stimulus += 1) {
    const where = `seed ${seed}, stimulus ${stimulus} after ${before}`;
    expect(seen(twin), where).toEqual(seen(instance));
    expectSound(twin, where);
    if (instance.state.status !== 'RUNNING') return 1;
    const choice = random.below(1_000);
    happenInBoth(host, instance, choice);
    happenInBoth(twins, twin, choice);
  }
  return 1;
}

/** The same of two instances, whose ids differ. */
function seen({ state, ...instance }: MemoryInstance): object {
  const { status } = state;
  return {
    status,
    variables: state.elements[ROOT]!.variables ?? {},
    waits: status === 'RUNNING' ? ordered({ state, ...instance }).map(({ key }) => key) : [],
    incidents: orderedIncidents({ state, ...instance }).map(({ key }) => key),
    arrived: state.arrived.map(({ flow }) => flow).toSorted(),
  };
}

interface Keyed {
  key: string;
  wait: Wait;
}

/** Where an element is, in words that are the same in twins. */
function pathOf(state: State, element: ElementInstance | undefined): string {
  return element && element.id !== ROOT
    ? `${pathOf(state, state.elements[element.scope])}/${element.node}${element.loopCounter ?? ''}`
    : '';
}

/** The same order in twins. */
function ordered({ state }: MemoryInstance): Keyed[] {
  return Object.values(state.waits)
    .map((wait) => {
      const due = wait.kind === 'timer' ? ` due ${wait.due} of ${wait.remaining ?? ''}` : '';
      return { key: `${pathOf(state, state.elements[wait.element])} ${wait.kind} ${wait.node}${due}`, wait };
    })
    .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : one.wait.id - other.wait.id));
}

/** The same order in twins: several can be at one node. */
function orderedIncidents({ state }: MemoryInstance): { key: string; incident: Incident }[] {
  return Object.values(state.incidents)
    .map((incident) => ({
      key: `${pathOf(state, state.elements[incident.element])} ${incident.node} ${incident.errorType}`,
      incident,
    }))
    .toSorted((one, other) =>
      one.key < other.key ? -1 : one.key > other.key ? 1 : one.incident.id - other.incident.id,
    );
}

function happenInBoth(host: MemoryHost, instance: MemoryInstance, choice: number): void {
  const waits = ordered(instance);
  const incidents = orderedIncidents(instance);
  if (waits.length + incidents.length === 0) {
    host.command(instance, { kind: 'CANCEL_INSTANCE' });
    return;
  }
  const chosen = choice % (waits.length + incidents.length);
  const incident = incidents[chosen - waits.length]?.incident;
  if (incident) {
    const variables = { [`${incident.node}_fixed`]: true };
    host.command(instance, { kind: 'RESOLVE_INCIDENT', incident: incident.id, variables });
    return;
  }
  happen(host, instance, waits[chosen]!.wait, choice);
}

function happen(host: MemoryHost, instance: MemoryInstance, wait: Wait, choice: number): void {
  const execution = wait.id;
  switch (wait.kind) {
    case 'job':
      if (choice % 10 === 0) host.command(instance, { kind: 'THROW_JOB_ERROR', execution, errorCode: 'E' });
      else host.command(instance, { kind: 'COMPLETE_JOB', execution });
      return;
    case 'userTask':
      host.command(instance, { kind: 'COMPLETE_USER_TASK', execution });
      return;
    case 'timer':
      host.advance(Math.max(0, wait.due - host.now));
      return;
    case 'subscription': {
      const kind = wait.type === 'message' ? 'CORRELATE_MESSAGE' : 'DELIVER_SIGNAL';
      host.command(instance, { kind, execution, publicationID: 'any' });
      return;
    }
    case 'condition':
      host.command(instance, { kind: 'SET_VARIABLES', variables: { go: choice % 2 === 0, bad: choice % 3 === 0 } });
      return;
    case 'child':
      host.command(instance, { kind: 'END_CHILD', execution, outcome: { status: 'COMPLETED', variables: {} } });
      return;
    case 'decision':
      throw new Error('The random models have no decisions');
  }
}
