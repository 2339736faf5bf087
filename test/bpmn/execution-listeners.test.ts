/** Where a model can have execution listeners, and how they are compiled. */
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import {
  boundaryEvent,
  catchEvent,
  compensatedBy,
  complexGateway,
  element,
  endEvent,
  eventBasedGateway,
  exclusiveGateway,
  executionListeners,
  extensions,
  inclusiveGateway,
  on,
  parallelGateway,
  root,
  serviceTask,
  startEvent,
  task,
  throwEvent,
  transaction,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

const START = { listeners: { start: ['l'] } };
const END = { listeners: { end: ['l'] } };

async function errorsOf(xml: string): Promise<string[]> {
  const { problems } = await compile(xml);
  return problems.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
}

const around = (xml: string, more: string[] = [], flows: string[] = [], roots: string[] = []) =>
  simpleModel([xml, endEvent('e'), ...more], ['f1: s -> m', 'f2: m -> e', ...flows], roots);

const listened = (listeners: string) =>
  around(serviceTask('m', { extensions: `<zeebe:executionListeners>${listeners}</zeebe:executionListeners>` }));

describe('a listener that would never run is refused, with the place to put it', () => {
  it.each([
    [
      'the start of a start event',
      around(task('m')).replace('<bpmn:startEvent id="s"/>', startEvent('s', '', START)),
      'start of the process',
    ],
    [
      'the start of a boundary event',
      around(task('m'), [boundaryEvent('b', 'm', on.timer('PT1H'), START)], ['f3: b -> e']),
      'start of the activity',
    ],
    ['the end of an exclusive gateway', around(exclusiveGateway('m', END)), 'after the gateway'],
    ['the end of an inclusive gateway', around(inclusiveGateway('m', END)), 'after the gateway'],
    ['the end of a parallel gateway', around(parallelGateway('m', END)), 'after the gateway'],
    [
      'the end of an event-based gateway',
      simpleModel(
        [
          eventBasedGateway('m', END),
          catchEvent('c', on.timer('PT1H')),
          catchEvent('d', on.timer('PT2H')),
          endEvent('e'),
        ],
        ['f1: s -> m', 'f2: m -> c', 'f3: m -> d', 'f4: c -> e', 'f5: d -> e'],
      ),
      'after the gateway',
    ],
    [
      'the end of an error end event',
      simpleModel([endEvent('m', on.error('X'), END)], 'f1: s -> m', root.error('X')),
      'catches the error',
    ],
    [
      'the end of a cancel end event',
      around(transaction('m', [startEvent('ts'), endEvent('te', on.cancel, END)], 't1: ts -> te')),
      'cancel boundary event',
    ],
    [
      'the end of a compensation boundary event',
      around(task('m'), [element('task', { id: 'undo', isForCompensation: true }), compensatedBy('m', 'undo')]).replace(
        /(<bpmn:boundaryEvent [^>]*>)/,
        `$1${extensions(executionListeners({ end: ['l'] }))}`,
      ),
      'compensation handler',
    ],
    [
      'the end of a throw event of a link',
      around(throwEvent('m', on.link('L'), END), [catchEvent('c', on.link('L'))], ['f3: c -> e']),
      'catches the link',
    ],
  ])('%s', async (_where, xml, instead) => {
    expect(await errorsOf(xml)).toContainEqual(
      expect.stringMatching(new RegExp(`would never run at its (start|end): .*${instead}`)),
    );
  });

  it('at a complex gateway', async () => {
    const xml = around(complexGateway('m')).replace(
      '<bpmn:complexGateway id="m"/>',
      element('complexGateway', { id: 'm' }, extensions(executionListeners({ start: ['l'] }))),
    );
    expect(await errorsOf(xml)).toContainEqual(expect.stringContaining('would never run at its start'));
  });

  it('at a sequence flow', async () => {
    const xml = around(task('m')).replace(
      /<bpmn:sequenceFlow id="f2"([^>]*)\/>/,
      `<bpmn:sequenceFlow id="f2"$1>${extensions(executionListeners({ start: ['l'] }))}</bpmn:sequenceFlow>`,
    );
    expect(await errorsOf(xml)).toEqual([
      expect.stringContaining('sequenceFlow f2 has listeners (executionListeners) that would never run'),
    ]);
  });
});

describe('a listener that is not complete is refused', () => {
  it.each([
    [
      'an unknown event',
      '<zeebe:executionListener eventType="beforeAll" type="x"/>',
      /has the eventType "beforeAll", but it can be start or end/,
    ],
    ['no type', '<zeebe:executionListener eventType="start"/>', /needs the type of its job/],
    [
      'the same event and type twice',
      '<zeebe:executionListener eventType="start" type="x"/><zeebe:executionListener eventType="start" type="x"/>',
      /repeats another one with the eventType start and the type x/,
    ],
    [
      'retries that are not a number',
      '<zeebe:executionListener eventType="start" type="x" retries="0"/>',
      /The listener retries must be a whole number/,
    ],
    [
      'two headers with one key',
      '<zeebe:executionListener eventType="start" type="x"><zeebe:taskHeaders><zeebe:header key="a" value="1"/><zeebe:header key="a" value="2"/></zeebe:taskHeaders></zeebe:executionListener>',
      /has two headers with the key "a"/,
    ],
  ])('%s', async (_what, listeners, problem) => {
    expect(await errorsOf(listened(listeners))).toEqual([expect.stringMatching(problem)]);
  });
});

it('the same type at the start and at the end is one listener each', async () => {
  const { processes, problems } = await compile(
    listened(
      '<zeebe:executionListener eventType="end" type="x"/><zeebe:executionListener eventType="start" type="x" retries="7"/>',
    ),
  );
  expect(problems).toEqual([]);
  expect(processes[0]!.graph.nodes.find(({ id }) => id === 'm')?.listeners).toEqual({
    start: [{ type: { literal: 'x' }, retries: { literal: '7' } }],
    end: [{ type: { literal: 'x' }, retries: { literal: '3' } }],
  });
});

it('headers of an element with listeners are read, and those of a listener are not reported as unknown', async () => {
  const xml = around(
    task('m', {
      headers: { a: '1' },
      extensions:
        '<zeebe:executionListeners><zeebe:executionListener eventType="start" type="x"><zeebe:taskHeaders><zeebe:header key="b" value="2"/></zeebe:taskHeaders></zeebe:executionListener></zeebe:executionListeners>',
    }),
  );
  const { processes, problems } = await compile(xml);
  expect(problems).toEqual([]);
  expect(processes[0]!.graph.nodes.find(({ id }) => id === 'm')?.listeners?.start).toMatchObject([
    { headers: { a: '1', b: '2' } },
  ]);
});
