/** Readable traces of whole runs, one per family of elements: `test/engine/golden/*.txt`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import {
  adHocSubProcess,
  boundaryEvent,
  catchEvent,
  compensatedBy,
  complexGateway,
  endEvent,
  eventBasedGateway,
  eventSubProcess,
  exclusiveGateway,
  extensions,
  inclusiveGateway,
  multiInstance,
  on,
  parallelGateway,
  root,
  scriptTask,
  serviceTask,
  standardLoop,
  startEvent,
  subProcess,
  task,
  throwEvent,
  transaction,
} from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';
import { trace } from '../support/trace.js';

interface Case {
  model: string;
  variables?: Parameters<MemoryHost['start']>[1];
  play(host: MemoryHost, instance: MemoryInstance): void;
}

const cases: { [name: string]: Case } = {
  'service task left by its error boundary event': {
    model: simpleModel(
      [serviceTask('ship'), boundaryEvent('failed', 'ship', on.error('E1')), endEvent('done'), endEvent('handled')],
      ['a: s -> ship', 'b: ship -> done', 'c: failed -> handled'],
      root.error('E1'),
    ),
    play: (host, instance) => host.throwJobError(instance, 'ship', 'E1', { why: 'lost' }),
  },
  'script task with an incident that is resolved': {
    model: simpleModel(
      [scriptTask('divide', '=1 / x', 'y'), endEvent('done')],
      ['a: s -> divide', 'b: divide -> done'],
    ),
    variables: { x: 0 },
    play: (host, instance) => host.resolve(instance, 'divide', { x: 4 }),
  },
  'inclusive gateway that forks and joins': {
    model: simpleModel(
      [
        inclusiveGateway('fork', { default: 'd' }),
        serviceTask('one'),
        serviceTask('two'),
        task('other'),
        inclusiveGateway('join'),
        endEvent('done'),
      ],
      [
        'a: s -> fork',
        'b: fork -> one =x > 0',
        'c: fork -> two =x > 1',
        'd: fork -> other',
        'e: one -> join',
        'f: two -> join',
        'g: other -> join',
        'h: join -> done',
      ],
    ),
    variables: { x: 2 },
    play(host, instance) {
      host.completeJob(instance, 'two');
      host.completeJob(instance, 'one');
    },
  },
  'event-based gateway decided by a message': {
    model: simpleModel(
      [
        eventBasedGateway('wait'),
        catchEvent('pays', on.message('paid')),
        catchEvent('late', on.timer('PT1H')),
        endEvent('thanks'),
        endEvent('remind'),
      ],
      ['a: s -> wait', 'b: wait -> pays', 'c: wait -> late', 'd: pays -> thanks', 'e: late -> remind'],
      root.message('paid', '=order'),
    ),
    variables: { order: 7 },
    play: (host) => host.publishMessage('paid', 7, { amount: 10 }),
  },
  'event sub-process that does not interrupt': {
    model: simpleModel(
      [
        serviceTask('work'),
        endEvent('done'),
        eventSubProcess(
          'notice',
          [startEvent('heard', on.signal('ping'), { interrupting: false }), task('note'), endEvent('noted')],
          ['na: heard -> note', 'nb: note -> noted'],
        ),
      ],
      ['a: s -> work', 'b: work -> done'],
      root.signal('ping'),
    ),
    play(host, instance) {
      host.throwSignal('ping', {}, 0);
      host.completeJob(instance, 'work');
    },
  },
  'parallel multi-instance that collects its output': {
    model: simpleModel(
      [
        serviceTask('price', { loop: multiInstance('=items', { output: '=result', into: 'prices' }) }),
        endEvent('done'),
      ],
      ['a: s -> price', 'b: price -> done'],
    ),
    variables: { items: ['a', 'b'] },
    play(host, instance) {
      host.completeJob(instance, 'price', { result: 1 });
      host.completeJob(instance, 'price', { result: 2 });
    },
  },
  'standard loop that tests after': {
    model: simpleModel(
      [scriptTask('add', '=x + 1', 'x', { loop: standardLoop({ condition: '=x < 2' }) }), endEvent('done')],
      ['a: s -> add', 'b: add -> done'],
    ),
    variables: { x: 0 },
    play: () => {},
  },
  'transaction that is canceled and compensated': {
    model: simpleModel(
      [
        transaction(
          'trip',
          [
            startEvent('is'),
            task('book'),
            compensatedBy('book', 'unbook'),
            task('unbook', { isForCompensation: true }),
            serviceTask('pay'),
            endEvent('stop', on.cancel),
          ],
          ['i1: is -> book', 'i2: book -> pay', 'i3: pay -> stop'],
        ),
        boundaryEvent('canceled', 'trip', on.cancel),
        endEvent('done'),
        endEvent('sorry'),
      ],
      ['a: s -> trip', 'b: trip -> done', 'c: canceled -> sorry'],
    ),
    play: (host, instance) => host.completeJob(instance, 'pay'),
  },
  'ad-hoc sub-process that is triggered': {
    model: simpleModel(
      [
        adHocSubProcess(
          'case',
          [serviceTask('call'), serviceTask('write'), '<bpmn:completionCondition>=closed</bpmn:completionCondition>'],
          [],
        ),
        endEvent('done'),
      ],
      ['a: s -> case', 'b: case -> done'],
    ),
    variables: { closed: false },
    play(host, instance) {
      host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'case', nodeID: 'write' });
      host.completeJob(instance, 'write', { closed: true });
    },
  },
  'escalation and condition on the boundary': {
    model: simpleModel(
      [
        subProcess(
          'sub',
          [startEvent('is'), throwEvent('shout', on.escalation('late')), serviceTask('work'), endEvent('ie')],
          ['i1: is -> shout', 'i2: shout -> work', 'i3: work -> ie'],
        ),
        boundaryEvent('heard', 'sub', on.escalation('late'), { interrupting: false }),
        boundaryEvent('changed', 'sub', on.condition('=stop')),
        endEvent('done'),
        endEvent('told'),
        endEvent('stopped'),
      ],
      ['a: s -> sub', 'b: sub -> done', 'c: heard -> told', 'd: changed -> stopped'],
      root.escalation('late'),
    ),
    variables: { stop: false },
    play: (host, instance) => host.command(instance, { kind: 'SET_VARIABLES', variables: { stop: true } }),
  },
  'complex gateway that starts and resets': {
    model: simpleModel(
      [
        parallelGateway('fork'),
        serviceTask('one'),
        serviceTask('two'),
        complexGateway('join', { activationCondition: '=activationCount >= 1' }),
        endEvent('done'),
      ],
      ['a: s -> fork', 'b: fork -> one', 'c: fork -> two', 'd: one -> join', 'e: two -> join', 'f: join -> done'],
    ),
    play(host, instance) {
      host.completeJob(instance, 'one');
      host.completeJob(instance, 'two');
    },
  },
  'parallel gateway whose missing token cannot come': {
    model: simpleModel(
      [exclusiveGateway('fork', { default: 'd' }), parallelGateway('join'), endEvent('done')],
      ['a: s -> fork', 'b: fork -> join =x', 'd: fork -> join', 'c: join -> done'],
    ),
    variables: { x: true },
    play: () => {},
  },
  'timer on the boundary that fires twice': {
    model: simpleModel(
      [
        '<bpmn:userTask id="approve"/>',
        boundaryEvent('remind', 'approve', on.cycle('R2/PT1H'), { interrupting: false }),
        endEvent('done'),
        endEvent('reminded'),
      ],
      ['a: s -> approve', 'b: approve -> done', 'c: remind -> reminded'],
    ),
    play(host, instance) {
      host.advance(3 * 3_600_000);
      host.completeTask(instance, 'approve', { approved: true });
    },
  },
  'signal that an instance throws and hears': {
    model: simpleModel(
      [
        parallelGateway('fork'),
        catchEvent('wait', on.signal('go')),
        throwEvent('call', on.signal('go')),
        endEvent('heard'),
        endEvent('called'),
      ],
      ['a: s -> fork', 'b: fork -> wait', 'c: fork -> call', 'd: wait -> heard', 'e: call -> called'],
      root.signal('go'),
    ),
    play: () => {},
  },
  link: {
    model: simpleModel(
      [throwEvent('far', on.link('L')), catchEvent('land', on.link('L')), endEvent('done')],
      ['a: s -> far', 'b: land -> done'],
    ),
    play: () => {},
  },
  'terminate end event of a sub-process': {
    model: simpleModel(
      [
        subProcess(
          'sub',
          [
            startEvent('is'),
            parallelGateway('fork'),
            serviceTask('work'),
            serviceTask('stop'),
            endEvent('ie'),
            endEvent('over', on.terminate),
          ],
          ['i1: is -> fork', 'i2: fork -> work', 'i3: fork -> stop', 'i4: work -> ie', 'i5: stop -> over'],
        ),
        endEvent('done'),
      ],
      ['a: s -> sub', 'b: sub -> done'],
    ),
    play: (host, instance) => host.completeJob(instance, 'stop'),
  },
  'compensation in reverse order': {
    model: simpleModel(
      [
        task('book'),
        compensatedBy('book', 'unbook'),
        task('unbook', { isForCompensation: true }),
        task('pay'),
        compensatedBy('pay', 'refund'),
        serviceTask('refund', { isForCompensation: true }),
        endEvent('back', on.compensation()),
      ],
      ['a: s -> book', 'b: book -> pay', 'c: pay -> back'],
    ),
    play: (host, instance) => host.completeJob(instance, 'refund'),
  },
  'call activity that is interrupted': {
    model: simpleModel(
      [
        `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="called"/>')}</bpmn:callActivity>`,
        boundaryEvent('stop', 'call', on.condition('=stop')),
        endEvent('done'),
        endEvent('stopped'),
      ],
      ['a: s -> call', 'b: call -> done', 'c: stop -> stopped'],
    ).replace(
      '</bpmn:definitions>',
      `<bpmn:process id="called" isExecutable="true"><bpmn:startEvent id="cs"/>${serviceTask('work')}<bpmn:sequenceFlow id="ca" sourceRef="cs" targetRef="work"/></bpmn:process></bpmn:definitions>`,
    ),
    variables: { stop: false },
    play: (host, instance) => host.command(instance, { kind: 'SET_VARIABLES', variables: { stop: true } }),
  },
  'instance that is canceled': {
    model: simpleModel(
      ['<bpmn:receiveTask id="wait" messageRef="paid"/>', endEvent('done')],
      ['a: s -> wait', 'b: wait -> done'],
      root.message('paid'),
    ),
    play: (host, instance) => host.command(instance, { kind: 'CANCEL_INSTANCE' }),
  },
  'business rule task': {
    model: simpleModel(
      [
        `<bpmn:businessRuleTask id="rule">${extensions('<zeebe:calledDecision decisionId="pricing" resultVariable="price"/>')}</bpmn:businessRuleTask>`,
        endEvent('done'),
      ],
      ['a: s -> rule', 'b: rule -> done'],
    ),
    play(host, instance) {
      host.decisions.set('pricing', () => 5);
      host.resolve(instance, 'rule');
    },
  },
};

describe('the trace of', () => {
  it.each(Object.entries(cases))('%s', async (name, { model, variables, play }) => {
    const host = await MemoryHost.deploy(model);
    const instance = host.start('p', variables);
    play(host, instance);
    const found = trace(instance.steps);
    const golden = new URL(`golden/${name.replaceAll(' ', '-')}.txt`, import.meta.url);
    if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(golden, found);
    const accepted = existsSync(golden) ? readFileSync(golden, 'utf8') : '';
    expect(
      found,
      'The engine does something else than before. To accept it: ACCEPT_GOLDEN=1 npx vitest run test/engine/traces.test.ts',
    ).toBe(accepted);
  });
});
