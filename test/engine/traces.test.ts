/** Readable traces of whole runs, one per family of elements: `test/engine/golden/*.txt`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MemoryHost, type MemoryInstance } from '../../testkit/memory-host.js';
import { boundary, catchEvent, compensatedBy, endEvent, eventSubProcess, extensions, forEach, gateway, loop, on, root, scope, scriptTask, serviceTask, simpleModel, startEvent, task, throwEvent } from '../hosts/model.js';
import { trace } from '../support/trace.js';

interface Case {
  model: string;
  variables?: Parameters<MemoryHost['start']>[1];
  play(host: MemoryHost, instance: MemoryInstance): void;
}

const cases: { [name: string]: Case } = {
  'service task left by its error boundary event': {
    model: simpleModel(serviceTask('ship') + boundary('failed', 'ship', on.error('E1')) + endEvent('done') + endEvent('handled'), 'a: s -> ship\nb: ship -> done\nc: failed -> handled', root.error('E1')),
    play: (host, instance) => host.throwJobError(instance, 'ship', 'E1', { why: 'lost' }),
  },
  'script task with an incident that is resolved': {
    model: simpleModel(scriptTask('divide', '=1 / x', 'y') + endEvent('done'), 'a: s -> divide\nb: divide -> done'),
    variables: { x: 0 },
    play: (host, instance) => host.resolve(instance, 'divide', { x: 4 }),
  },
  'inclusive gateway that forks and joins': {
    model: simpleModel(
      gateway('inclusive', 'fork', 'default="d"') + serviceTask('one') + serviceTask('two') + task('other') + gateway('inclusive', 'join') + endEvent('done'),
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
      gateway('eventBased', 'wait') + catchEvent('pays', on.message('paid')) + catchEvent('late', on.timer('PT1H')) + endEvent('thanks') + endEvent('remind'),
      'a: s -> wait\nb: wait -> pays\nc: wait -> late\nd: pays -> thanks\ne: late -> remind',
      root.message('paid', '=order'),
    ),
    variables: { order: 7 },
    play: (host) => host.publishMessage('paid', 7, { amount: 10 }),
  },
  'event sub-process that does not interrupt': {
    model: simpleModel(
      serviceTask('work') + endEvent('done') + eventSubProcess('notice', startEvent('heard', on.signal('ping'), 'isInterrupting="false"') + task('note') + endEvent('noted'), 'na: heard -> note\nnb: note -> noted'),
      'a: s -> work\nb: work -> done',
      root.signal('ping'),
    ),
    play(host, instance) {
      host.throwSignal('ping', {}, 0);
      host.completeJob(instance, 'work');
    },
  },
  'parallel multi-instance that collects its output': {
    model: simpleModel(serviceTask('price', 'price', '', '', forEach('=items', { output: '=result', into: 'prices' })) + endEvent('done'), 'a: s -> price\nb: price -> done'),
    variables: { items: ['a', 'b'] },
    play(host, instance) {
      host.completeJob(instance, 'price', { result: 1 });
      host.completeJob(instance, 'price', { result: 2 });
    },
  },
  'standard loop that tests after': {
    model: simpleModel(scriptTask('add', '=x + 1', 'x', '', '', loop({ condition: '=x < 2' })) + endEvent('done'), 'a: s -> add\nb: add -> done'),
    variables: { x: 0 },
    play: () => {},
  },
  'transaction that is canceled and compensated': {
    model: simpleModel(
      scope('transaction', 'trip', `<bpmn:startEvent id="is"/>${task('book')}${compensatedBy('book', 'unbook')}${task('unbook', '', 'isForCompensation="true"')}${serviceTask('pay')}${endEvent('stop', on.cancel)}`, 'i1: is -> book\ni2: book -> pay\ni3: pay -> stop') +
        boundary('canceled', 'trip', on.cancel) + endEvent('done') + endEvent('sorry'),
      'a: s -> trip\nb: trip -> done\nc: canceled -> sorry',
    ),
    play: (host, instance) => host.completeJob(instance, 'pay'),
  },
  'ad-hoc sub-process that is triggered': {
    model: simpleModel(scope('adHocSubProcess', 'case', `${serviceTask('call')}${serviceTask('write')}<bpmn:completionCondition>=closed</bpmn:completionCondition>`, '') + endEvent('done'), 'a: s -> case\nb: case -> done'),
    variables: { closed: false },
    play(host, instance) {
      host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'case', nodeID: 'write' });
      host.completeJob(instance, 'write', { closed: true });
    },
  },
  'escalation and condition on the boundary': {
    model: simpleModel(
      scope('subProcess', 'sub', `<bpmn:startEvent id="is"/>${throwEvent('shout', on.escalation('late'))}${serviceTask('work')}${endEvent('ie')}`, 'i1: is -> shout\ni2: shout -> work\ni3: work -> ie') +
        boundary('heard', 'sub', on.escalation('late'), 'cancelActivity="false"') + boundary('changed', 'sub', on.condition('=stop')) + endEvent('done') + endEvent('told') + endEvent('stopped'),
      'a: s -> sub\nb: sub -> done\nc: heard -> told\nd: changed -> stopped',
      root.escalation('late'),
    ),
    variables: { stop: false },
    play: (host, instance) => host.command(instance, { kind: 'SET_VARIABLES', variables: { stop: true } }),
  },
  'business rule task': {
    model: simpleModel(`<bpmn:businessRuleTask id="rule">${extensions('<zeebe:calledDecision decisionId="pricing" resultVariable="price"/>')}</bpmn:businessRuleTask>${endEvent('done')}`, 'a: s -> rule\nb: rule -> done'),
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
    expect(found, 'The engine does something else than before. To accept it: ACCEPT_GOLDEN=1 npx vitest run test/engine/traces.test.ts').toBe(accepted);
  });
});
