import { describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { boundaryEvent, endEvent, extensions, on } from '@perdure/testkit/models';
import { simpleModel } from '../../support/models.js';

const rule = (inner: string) => `<bpmn:businessRuleTask id="rule">${extensions(inner)}</bpmn:businessRuleTask>`;
const CALLED = '<zeebe:calledDecision decisionId="=which" resultVariable="price"/>';

describe('a business rule task', () => {
  it('gives the result of its decision to its result variable', async () => {
    const host = await MemoryHost.deploy(simpleModel([rule(CALLED), endEvent('e')], ['a: s -> rule', 'b: rule -> e']));
    host.decisions.set('pricing', ({ amount }) => Number(amount) * 2);
    const instance = host.start('p', { which: 'pricing', amount: 21 });
    expect(host.variables(instance)).toEqual({ which: 'pricing', amount: 21, price: 42 });
    expect(host.facts(instance)).toContainEqual(
      expect.objectContaining({ kind: 'DECISION_EVALUATED', definitionID: 'pricing', version: 1 }),
    );
  });

  it('waits at an incident when its decision fails, and asks again when that is resolved', async () => {
    const host = await MemoryHost.deploy(simpleModel([rule(CALLED), endEvent('e')], ['a: s -> rule', 'b: rule -> e']));
    const instance = host.start('p', { which: 'pricing', amount: 1 });
    expect(host.incidents(instance)).toMatchObject([{ node: 'rule', errorType: 'DecisionNotFound' }]);
    host.decisions.set('pricing', () => 5);
    host.resolve(instance, 'rule');
    expect(host.variables(instance)).toMatchObject({ price: 5 });
    expect(instance.state.status).toBe('COMPLETED');
  });

  it('fails at once when the id of its decision is a long text', async () => {
    const host = await MemoryHost.deploy(simpleModel([rule(CALLED), endEvent('e')], ['a: s -> rule', 'b: rule -> e']));
    const instance = host.start('p', { which: 'x'.repeat(256) });
    expect(host.incidents(instance)).toMatchObject([{ node: 'rule', errorCode: 'TEXT_TOO_LONG' }]);
  });

  it('leaves through its error boundary event when its decision fails', async () => {
    const host = await MemoryHost.deploy(
      simpleModel(
        [rule(CALLED), boundaryEvent('bad', 'rule', on.error()), endEvent('e'), endEvent('f')],
        ['a: s -> rule', 'b: rule -> e', 'c: bad -> f'],
      ),
    );
    expect(host.completed(host.start('p', { which: 'pricing' }))).toContain('f');
  });

  it('is a job when it has a task definition', async () => {
    const host = await MemoryHost.deploy(
      simpleModel([rule('<zeebe:taskDefinition type="decide"/>'), endEvent('e')], ['a: s -> rule', 'b: rule -> e']),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'rule', { price: 1 });
    expect(host.variables(instance)).toEqual({ price: 1 });
  });
});

describe('a data object', () => {
  it('with a value is a variable of its scope, and a variable that was given wins', async () => {
    const data = `<bpmn:dataObject id="d" name="limit">${extensions('<zeebe:value value="=base * 2"/>')}</bpmn:dataObject>`;
    const host = await MemoryHost.deploy(simpleModel([data, endEvent('e')], ['a: s -> e']));
    expect(host.variables(host.start('p', { base: 2 }))).toEqual({ base: 2, limit: 4 });
    expect(host.variables(host.start('p', { base: 2, limit: 9 }))).toEqual({ base: 2, limit: 9 });
  });
});
