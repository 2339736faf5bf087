/** Readable traces of whole runs, one per family of elements: `test/engine/golden/*.txt`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../packages/testkit/memory-host.js';
import {
  boundary,
  catchEvent,
  compensatedBy,
  endEvent,
  eventSubProcess,
  extensions,
  forEach,
  gateway,
  loop,
  on,
  root,
  scope,
  scriptTask,
  serviceTask,
  simpleModel,
  startEvent,
  task,
  throwEvent,
} from '../support/bpmn-models.js';
import { trace } from '../support/trace.js';

interface Case {
  model: string;
  variables?: Parameters<MemoryHost['start']>[1];
  play(host: MemoryHost, instance: MemoryInstance): void;
}

const cases: { [name: string]: Case } = {
  'service task left by its error boundary event': {
    model: simpleModel(
      serviceTask('ship') + boundary('failed', 'ship', on.error('E1')) + endEvent('done') + endEvent('handled'),
      'a: s -> ship\nb: ship -> done\nc: failed -> handled',
      root.error('E1'),
    ),
    play: (host, instance) => host.throwJobError(instance, 'ship', 'E1', { why: 'lost' }),
  },
  'script task with an incident that is resolved': {
    model: simpleModel(scriptTask('divide', '=1 / x', 'y') + endEvent('done'), 'a: s -> divide\nb: divide -> done'),
    variables: { x: 0 },
    play: (host, instance) => host.resolve(instance, 'divide', { x: 4 }),
  },
  'inclusive gateway that forks and joins': {
    model: simpleModel(
      gateway('inclusive', 'fork', 'default="d"') +
        serviceTask('one') +
        serviceTask('two') +
        task('other') +
        gateway('inclusive', 'join') +
        endEvent('done'),
      'a: s -> fork\nb: fork -> one =x > 0\nc: fork -> two =x > 1\nd: fork -> other\ne: one -> join\nf: two -> join\ng: other -> join\nh: join -> done',
    ),
    variables: { x: 2 },
    play(host, instance) {
      host.completeJob(instance, 'two');
      host.completeJob(instance, 'one');
    },
  },
  'event-based gateway decided by a message': {
    model: simpleModel(
      gateway('eventBased', 'wait') +
        catchEvent('pays', on.message('paid')) +
        catchEvent('late', on.timer('PT1H')) +
        endEvent('thanks') +
        endEvent('remind'),
      'a: s -> wait\nb: wait -> pays\nc: wait -> late\nd: pays -> thanks\ne: late -> remind',
      root.message('paid', '=order'),
    ),
    variables: { order: 7 },
    play: (host) => host.publishMessage('paid', 7, { amount: 10 }),
  },
  'event sub-process that does not interrupt': {
    model: simpleModel(
      serviceTask('work') +
        endEvent('done') +
        eventSubProcess(
          'notice',
          startEvent('heard', on.signal('ping'), 'isInterrupting="false"') + task('note') + endEvent('noted'),
          'na: heard -> note\nnb: note -> noted',
        ),
      'a: s -> work\nb: work -> done',
      root.signal('ping'),
    ),
    play(host, instance) {
      host.throwSignal('ping', {}, 0);
      host.completeJob(instance, 'work');
    },
  },
  'parallel multi-instance that collects its output': {
    model: simpleModel(
      serviceTask('price', 'price', '', '', forEach('=items', { output: '=result', into: 'prices' })) +
        endEvent('done'),
      'a: s -> price\nb: price -> done',
    ),
    variables: { items: ['a', 'b'] },
    play(host, instance) {
      host.completeJob(instance, 'price', { result: 1 });
      host.completeJob(instance, 'price', { result: 2 });
    },
  },
  'standard loop that tests after': {
    model: simpleModel(
      scriptTask('add', '=x + 1', 'x', '', '', loop({ condition: '=x < 2' })) + endEvent('done'),
      'a: s -> add\nb: add -> done',
    ),
    variables: { x: 0 },
    play: () => {},
  },
  'transaction that is canceled and compensated': {
    model: simpleModel(
      scope(
        'transaction',
        'trip',
        `<bpmn:startEvent id="is"/>${task('book')}${compensatedBy('book', 'unbook')}${task('unbook', '', 'isForCompensation="true"')}${serviceTask('pay')}${endEvent('stop', on.cancel)}`,
        'i1: is -> book\ni2: book -> pay\ni3: pay -> stop',
      ) +
        boundary('canceled', 'trip', on.cancel) +
        endEvent('done') +
        endEvent('sorry'),
      'a: s -> trip\nb: trip -> done\nc: canceled -> sorry',
    ),
    play: (host, instance) => host.completeJob(instance, 'pay'),
  },
  'ad-hoc sub-process that is triggered': {
    model: simpleModel(
      scope(
        'adHocSubProcess',
        'case',
        `${serviceTask('call')}${serviceTask('write')}<bpmn:completionCondition>=closed</bpmn:completionCondition>`,
        '',
      ) + endEvent('done'),
      'a: s -> case\nb: case -> done',
    ),
    variables: { closed: false },
    play(host, instance) {
      host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'case', nodeID: 'write' });
      host.completeJob(instance, 'write', { closed: true });
    },
  },
  'escalation and condition on the boundary': {
    model: simpleModel(
      scope(
        'subProcess',
        'sub',
        `<bpmn:startEvent id="is"/>${throwEvent('shout', on.escalation('late'))}${serviceTask('work')}${endEvent('ie')}`,
        'i1: is -> shout\ni2: shout -> work\ni3: work -> ie',
      ) +
        boundary('heard', 'sub', on.escalation('late'), 'cancelActivity="false"') +
        boundary('changed', 'sub', on.condition('=stop')) +
        endEvent('done') +
        endEvent('told') +
        endEvent('stopped'),
      'a: s -> sub\nb: sub -> done\nc: heard -> told\nd: changed -> stopped',
      root.escalation('late'),
    ),
    variables: { stop: false },
    play: (host, instance) => host.command(instance, { kind: 'SET_VARIABLES', variables: { stop: true } }),
  },
  'complex gateway that starts and resets': {
    model: simpleModel(
      gateway('parallel', 'fork') +
        serviceTask('one') +
        serviceTask('two') +
        gateway(
          'complex',
          'join',
          '',
          '<bpmn:activationCondition>=activationCount &gt;= 1</bpmn:activationCondition>',
        ) +
        endEvent('done'),
      'a: s -> fork\nb: fork -> one\nc: fork -> two\nd: one -> join\ne: two -> join\nf: join -> done',
    ),
    play(host, instance) {
      host.completeJob(instance, 'one');
      host.completeJob(instance, 'two');
    },
  },
  'parallel gateway whose missing token cannot come': {
    model: simpleModel(
      gateway('exclusive', 'fork', 'default="d"') + gateway('parallel', 'join') + endEvent('done'),
      'a: s -> fork\nb: fork -> join =x\nd: fork -> join\nc: join -> done',
    ),
    variables: { x: true },
    play: () => {},
  },
  'timer on the boundary that fires twice': {
    model: simpleModel(
      `<bpmn:userTask id="approve"/>${boundary('remind', 'approve', on.cycle('R2/PT1H'), 'cancelActivity="false"')}${endEvent('done')}${endEvent('reminded')}`,
      'a: s -> approve\nb: approve -> done\nc: remind -> reminded',
    ),
    play(host, instance) {
      host.advance(3 * 3_600_000);
      host.completeTask(instance, 'approve', { approved: true });
    },
  },
  'signal that an instance throws and hears': {
    model: simpleModel(
      gateway('parallel', 'fork') +
        catchEvent('wait', on.signal('go')) +
        throwEvent('call', on.signal('go')) +
        endEvent('heard') +
        endEvent('called'),
      'a: s -> fork\nb: fork -> wait\nc: fork -> call\nd: wait -> heard\ne: call -> called',
      root.signal('go'),
    ),
    play: () => {},
  },
  link: {
    model: simpleModel(
      throwEvent('far', on.link('L')) + catchEvent('land', on.link('L')) + endEvent('done'),
      'a: s -> far\nb: land -> done',
    ),
    play: () => {},
  },
  'terminate end event of a sub-process': {
    model: simpleModel(
      scope(
        'subProcess',
        'sub',
        `<bpmn:startEvent id="is"/>${gateway('parallel', 'fork')}${serviceTask('work')}${serviceTask('stop')}${endEvent('ie')}${endEvent('over', on.terminate)}`,
        'i1: is -> fork\ni2: fork -> work\ni3: fork -> stop\ni4: work -> ie\ni5: stop -> over',
      ) + endEvent('done'),
      'a: s -> sub\nb: sub -> done',
    ),
    play: (host, instance) => host.completeJob(instance, 'stop'),
  },
  'compensation in reverse order': {
    model: simpleModel(
      `${task('book')}${compensatedBy('book', 'unbook')}${task('unbook', '', 'isForCompensation="true"')}${task('pay')}${compensatedBy('pay', 'refund')}${serviceTask('refund', 'refund', '', 'isForCompensation="true"')}${endEvent('back', on.compensation())}`,
      'a: s -> book\nb: book -> pay\nc: pay -> back',
    ),
    play: (host, instance) => host.completeJob(instance, 'refund'),
  },
  'call activity that is interrupted': {
    model: simpleModel(
      `<bpmn:callActivity id="call">${extensions('<zeebe:calledElement processId="called"/>')}</bpmn:callActivity>${boundary('stop', 'call', on.condition('=stop'))}${endEvent('done')}${endEvent('stopped')}`,
      'a: s -> call\nb: call -> done\nc: stop -> stopped',
    ).replace(
      '</bpmn:definitions>',
      `<bpmn:process id="called" isExecutable="true"><bpmn:startEvent id="cs"/>${serviceTask('work')}<bpmn:sequenceFlow id="ca" sourceRef="cs" targetRef="work"/></bpmn:process></bpmn:definitions>`,
    ),
    variables: { stop: false },
    play: (host, instance) => host.command(instance, { kind: 'SET_VARIABLES', variables: { stop: true } }),
  },
  'instance that is canceled': {
    model: simpleModel(
      `<bpmn:receiveTask id="wait" messageRef="paid"/>${endEvent('done')}`,
      'a: s -> wait\nb: wait -> done',
      root.message('paid'),
    ),
    play: (host, instance) => host.command(instance, { kind: 'CANCEL_INSTANCE' }),
  },
  'business rule task': {
    model: simpleModel(
      `<bpmn:businessRuleTask id="rule">${extensions('<zeebe:calledDecision decisionId="pricing" resultVariable="price"/>')}</bpmn:businessRuleTask>${endEvent('done')}`,
      'a: s -> rule\nb: rule -> done',
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
