import { expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { endEvent, multiInstance, processModel, scriptTask, serviceTask, startEvent } from '@perdure/testkit/models';

it('names that an expression reads and nothing sets are warned about once, with the element that reads them', async () => {
  const mapping =
    '<zeebe:ioMapping><zeebe:input source="=orderTotal * 2" target="amount"/><zeebe:output source="=receipt" target="payment"/></zeebe:ioMapping>';
  const xml = processModel(
    'p',
    [
      startEvent('s'),
      serviceTask('pay', { extensions: mapping }),
      scriptTask('sum', '=amount + payment + total + orderTotal', 'total'),
      endEvent('e'),
    ],
    ['a: s -> pay', 'b: pay -> sum', 'c: sum -> e'],
  );
  expect((await compile(xml)).problems).toEqual([
    {
      severity: 'warning',
      elementID: 'p',
      message:
        'Nothing in process p sets these names, so its start, a job worker, a person or a message must provide them: orderTotal (read by pay), receipt (read by pay)',
    },
  ]);
});

it('names of functions, of loops and of what an expression defines itself are not warned about', async () => {
  const xml = processModel(
    'p',
    [startEvent('s'), scriptTask('t', '=count(for i in [1, 2] return i + loopCounter)', 'n'), endEvent('e')],
    ['a: s -> t', 'b: t -> e'],
  );
  expect((await compile(xml)).problems).toEqual([]);
});

it('counters of a completion condition are not warned about', async () => {
  const loop = multiInstance('=[1, 2]', {
    until: '=numberOfCompletedInstances + numberOfActiveInstances + numberOfTerminatedInstances = numberOfInstances',
  });
  const xml = processModel('p', [startEvent('s'), serviceTask('t', { loop }), endEvent('e')], ['s -> t -> e']);
  expect((await compile(xml)).problems).toEqual([]);
});
