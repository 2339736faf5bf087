/** How an instance started is read from its facts, because nothing else keeps it. */
import { recordingOf, backtest, type Recording } from '@perdure/backtest';
import {
  boundaryEvent,
  callActivity,
  endEvent,
  eventBasedGateway,
  catchEvent,
  on,
  processModel,
  root,
  scriptTask,
  serviceTask,
  startEvent,
} from '@perdure/testkit/models';
import { expect, it } from 'vitest';
import type { Variables } from '@perdure/engine/contract/json.js';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import { recordAll } from './support/recorder-of-host.js';

/** The recording of an instance that `happens` starts and ends. */
async function recorded(xml: string, happens: (host: MemoryHost) => MemoryInstance): Promise<Recording> {
  const host = await MemoryHost.deploy(xml);
  const recorders = recordAll(host);
  const { workflowID, state } = happens(host);
  expect(state.status).toBe('COMPLETED');
  return recorders.get(workflowID)!.recording;
}

/** Without the start, as the store keeps it. */
function derived({ start: _unknown, ...stored }: Recording): Recording {
  const recording = recordingOf(stored);
  if ('reason' in recording) throw new Error(recording.reason);
  expect(backtest(recording, recording.model).item.outcome).toBe('SAME');
  return recording;
}

const region =
  '<bpmn:dataObject id="region" name="region"><bpmn:extensionElements><zeebe:value value="=&quot;south&quot;"/></bpmn:extensionElements></bpmn:dataObject>';

const only = (host: MemoryHost) => [...host.instances.values()][0]!;

it.each<[string, Variables]>([
  ['no variables', {}],
  ['a variable', { amount: 2 }],
  ['a variable of the name of a data object', { region: 'north' }],
])('a start with %s', async (_what, variables) => {
  const xml = processModel(
    'p',
    [startEvent('s'), scriptTask('t', '=region', 'where'), endEvent('e'), region],
    ['a: s -> t', 'b: t -> e'],
  );
  const recording = await recorded(xml, (host) => host.start('p', variables));
  expect(derived(recording).start).toEqual({ variables });
});

it('a message with variables that the start event maps, and one whose variables are kept as they are', async () => {
  const receiving = (outputs: Record<string, string>) =>
    processModel(
      'p',
      [startEvent('s', on.message('M'), { outputs }), scriptTask('t', '=1', 'x'), endEvent('e')],
      ['a: s -> t', 'b: t -> e'],
      [root.message('M')],
    );
  for (const outputs of [{}, { heard: '=said' }] as Record<string, string>[]) {
    const recording = await recorded(receiving(outputs), (host) => {
      host.publishMessage('M', undefined, { said: 1, more: 2 });
      return only(host);
    });
    expect(derived(recording).start).toEqual({
      variables: {},
      startNode: 's',
      startTrigger: 0,
      payload: { said: 1, more: 2 },
    });
  }
});

it('a message behind a gateway that starts the process', async () => {
  const xml = processModel(
    'p',
    [
      eventBasedGateway('g', { instantiate: true }),
      catchEvent('one', on.message('One')),
      catchEvent('two', on.message('Two')),
      endEvent('e'),
    ],
    ['a: g -> one', 'b: g -> two', 'c: one -> e', 'd: two -> e'],
    [root.message('One'), root.message('Two')],
  );
  const recording = await recorded(xml, (host) => {
    host.publishMessage('Two', undefined, { said: 2 });
    return only(host);
  });
  expect(derived(recording).start).toEqual({ variables: {}, startNode: 'two', startTrigger: 0, payload: { said: 2 } });
});

it('an instance that an operator started in the middle', async () => {
  const xml = processModel(
    'p',
    [startEvent('s'), serviceTask('first'), scriptTask('second', '=local', 'x'), endEvent('e')],
    ['a: s -> first', 'b: first -> second', 'c: second -> e'],
  );
  const startAt = [{ nodeID: 'second', variables: { local: 1 } }];
  const recording = await recorded(xml, (host) => host.start('p', { a: 1 }, { startAt }));
  expect(derived(recording).start).toEqual({ variables: { a: 1 }, startAt });
});

it.each([
  ['an error', on.error('E'), ['E']],
  ['every error', on.error(), ['*']],
])('a called instance with %s that its caller catches', async (_what, caught, caughtErrors) => {
  const caller = processModel(
    'p',
    [
      startEvent('s'),
      callActivity('call', 'called'),
      boundaryEvent('caught', 'call', caught),
      endEvent('e'),
      endEvent('failed'),
    ],
    ['a: s -> call', 'b: call -> e', 'c: caught -> failed'],
    [root.error('E')],
  );
  const called = processModel(
    'called',
    [startEvent('s'), serviceTask('work'), endEvent('e')],
    ['a: s -> work', 'b: work -> e'],
  );
  const host = await MemoryHost.deploy(caller, called);
  const recorders = recordAll(host);
  const { workflowID } = host.start('p');
  const instance = [...host.instances.values()].find((each) => each.workflowID !== workflowID)!;
  const [job] = Object.values(instance.state.waits);
  host.send(instance, { kind: 'THROW_JOB_ERROR', execution: job!.id, errorCode: 'E' });
  expect(instance.state.status).toBe('FAILED');
  const { start } = derived(recorders.get(instance.workflowID)!.recording);
  expect(start).toMatchObject({ parent: { workflowID }, caughtErrors, depth: 1 });
});
