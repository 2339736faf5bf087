/** The waits of an instance equal a fold over its facts, in every conformance case and by example. */
import { expect, it } from 'vitest';
import { businessRuleTask, endEvent, serviceTask } from '@perdure/testkit/models';
import { openWaits } from '@perdure/engine/state/open-waits.js';
import { newState } from '@perdure/engine/state/state.js';
import { step } from '@perdure/engine/step.js';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { families } from '../conformance/cases/index.js';
import { MemoryDriver } from '../conformance/memory.js';
import { simpleModel } from '../support/models.js';
import { everything } from './random/everything.js';
import { modelFrom } from './support/model.js';
import { expectWaits } from './random/folded-waits.js';

const seen = new Set<string>();
/** The fold over facts does not follow the ids that a migration renames. */
const isMigration = ({ shows }: { shows: string }) => shows.startsWith('migration:');
const cases = families.flatMap(({ title, cases: all }) =>
  all.filter((given) => !isMigration(given)).map((given) => [`${title}: ${given.shows}`, given] as const),
);

it.each(cases)('agrees with the facts after every stimulus: %s', async (name, given) => {
  const memory = new MemoryDriver(given);
  const look = () => {
    for (const instance of memory.host.instances.values())
      for (const { kind } of expectWaits(instance, name)) seen.add(kind);
  };
  await memory.begin();
  look();
  for (const stimulus of given.play ?? []) {
    await memory.apply(stimulus);
    look();
  }
});

it('the conformance cases have every kind of wait, except decisions, which the host in memory answers at once', () => {
  expect([...seen].toSorted()).toEqual([
    'adHoc',
    'call',
    'condition',
    'incident',
    'job',
    'join',
    'message',
    'signal',
    'timer',
    'userTask',
  ]);
});

it('the list of waits has timers, conditions, missing flows, and incidents of a large model, longest first', async () => {
  const host = await MemoryHost.deploy(everything);
  const instance = host.start('p');
  const found = openWaits(instance.model, instance.state);
  expect(found.map(({ kind, node }) => `${kind} ${node}`)).toEqual([
    'message stop_start',
    'timer late',
    'condition hold',
    'job book',
    'job first',
    'message note_start',
    'job left',
    'job right',
    'incident call',
  ]);
  expect(found[1]).toMatchObject({ due: host.now + 3_600_000, since: host.now, scope: 1 });
  expect(found[2]).toMatchObject({ expression: '=go = true' });
  expect(found[8]).toMatchObject({ errorType: 'NoHandler', scope: 1 });
});

it('the list of waits counts from when a wait opened, not from when its activity began', async () => {
  const host = await MemoryHost.deploy(
    simpleModel([serviceTask('work'), endEvent('e')], ['f1: s -> work', 'f2: work -> e']),
  );
  const instance = host.start('p');
  const began = host.now;
  host.advance(60_000);
  host.throwJobError(instance, 'work', 'E');
  expect(openWaits(instance.model, instance.state)).toMatchObject([{ kind: 'incident', since: began + 60_000 }]);
  host.advance(60_000);
  host.resolve(instance, 'work');
  expect(openWaits(instance.model, instance.state)).toMatchObject([{ kind: 'job', since: began + 120_000 }]);
});

it('an instance waits to begin before the first step, and at a node where a modification has placed a token during a pause', async () => {
  const host = await MemoryHost.deploy(
    simpleModel([serviceTask('work'), serviceTask('other'), endEvent('e')], ['f1: s -> work', 'f2: work -> e']),
  );
  const instance = host.start('p');
  expect(openWaits(instance.model, newState('i'))).toEqual([{ kind: 'begin' }]);
  host.suspend(instance);
  host.command(instance, {
    kind: 'MODIFY',
    instructions: [
      { type: 'START_BEFORE_NODE', nodeID: 'other' },
      { type: 'CANCEL_TOKEN', nodeID: 'work' },
    ],
  });
  expect(openWaits(instance.model, instance.state)).toMatchObject([{ kind: 'begin', node: 'other', scope: 1 }]);
});

it('an instance waits for a decision until its result is there', async () => {
  const model = await modelFrom(
    simpleModel([businessRuleTask('rate', 'rate', 'x'), endEvent('e')], ['f1: s -> rate', 'f2: rate -> e']),
  );
  const state = newState('i');
  step(model, state, { start: { variables: {} }, commands: [], now: 1000 });
  expect(openWaits(model, state)).toMatchObject([{ kind: 'decision', node: 'rate', scope: 1, since: 1000 }]);
});

it('the list of waits is empty when the instance has ended', async () => {
  const host = await MemoryHost.deploy(simpleModel([endEvent('e')], ['f1: s -> e']));
  const instance = host.start('p');
  expect(openWaits(instance.model, instance.state)).toEqual([]);
});
