/** Ad-hoc sub-processes that a model drives, as the connector sees them. */
import { describe, expect, it } from 'vitest';
import type { JobResult } from '@perdure/engine/contract/commands.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { adHocSubProcess, endEvent, multiInstance, serviceTask, type AdHocOptions } from '@perdure/testkit/models';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { simpleModel } from '../../support/models.js';

const inputs = { url: 'https://models.example/v1', model: 'm', goal: '="Help"' };

function model(options: AdHocOptions = {}) {
  const tools = [serviceTask('search'), serviceTask('mail')];
  const agent = adHocSubProcess('agent', tools, [], {
    job: 'perdure:agent',
    inputs,
    headers: { resultVariable: 'answer' },
    ...options,
  });
  return simpleModel(
    [agent, serviceTask('after'), endEvent('e')],
    ['f1: s -> agent', 'f2: agent -> after', 'f3: after -> e'],
  );
}

const call = (id: string, elementId = 'search'): NonNullable<JobResult['activateElements']>[number] => ({
  elementId,
  variables: { toolCall: { query: id, _meta: { id, name: elementId } }, toolCallResult: null },
});

async function started(xml = model(), variables: Variables = {}) {
  const host = await MemoryHost.deploy(xml);
  const instance = host.start('p', variables);
  const decide = (result: JobResult, own?: Variables) => host.completeJob(instance, 'agent', own, result);
  /** The variables of the newest job. */
  const seen = (): Variables =>
    host
      .facts(instance)
      .flatMap((fact) => (fact.kind === 'JOB_CREATED' && fact.node === 'agent' ? [fact.localVariables ?? {}] : []))
      .at(-1)!;
  const conversation = () => seen()['agentConversation'] as { id: number; openCalls: Json };
  return { host, instance, decide, seen, conversation };
}

describe('an agent', () => {
  it('has one conversation per activation, and its job says which calls are open', async () => {
    const { host, instance, decide, conversation } = await started();
    const { id } = conversation();
    expect(conversation()).toEqual({ id: expect.any(Number), openCalls: [] });
    decide({ activateElements: [call('c1'), call('c2', 'mail')] });
    host.completeJob(instance, 'search', { toolCallResult: 'found' });
    expect(conversation()).toEqual({ id, openCalls: ['c2'] });
  });

  it('collects the result of each call by its id, also null, and never as a variable of the process', async () => {
    const { host, instance, decide, seen } = await started();
    decide({ activateElements: [call('c1'), call('c2', 'mail')] });
    host.completeJob(instance, 'search', { toolCallResult: ['found'] });
    host.completeJob(instance, 'mail', { other: 1 });
    expect(seen()['toolCallResults']).toEqual([
      { id: 'c1', result: ['found'] },
      { id: 'c2', result: null },
    ]);
    decide({ isCompletionConditionFulfilled: true }, { answer: 'done' });
    expect(host.variables(instance)).toEqual({ answer: 'done', other: 1 });
    expect(host.waiting(instance)).toEqual(['job after']);
  });

  it('collects results afresh once the connector has emptied the collection', async () => {
    const { host, instance, decide, seen } = await started();
    decide({ activateElements: [call('c1')] });
    host.completeJob(instance, 'search', { toolCallResult: 1 });
    decide({ activateElements: [call('c2')] }, { toolCallResults: [] });
    host.completeJob(instance, 'search', { toolCallResult: 2 });
    expect(seen()['toolCallResults']).toEqual([{ id: 'c2', result: 2 }]);
  });

  it('keeps its conversation whatever the variables of the process say', async () => {
    const { conversation } = await started(model(), { agentConversation: { id: 4711, openCalls: ['c9'] } });
    expect(conversation()).toEqual({ id: expect.any(Number), openCalls: [] });
    expect(conversation().id).not.toBe(4711);
  });

  it('collects nothing of an activity that a person has started', async () => {
    const { host, instance, seen } = await started();
    host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'agent', nodeID: 'search' });
    host.completeJob(instance, 'search', { toolCallResult: 'by hand' });
    expect(seen()).not.toHaveProperty('toolCallResults');
  });

  it('hands its answer on through its output mappings alone, if it has any', async () => {
    const { host, instance, decide } = await started(model({ outputs: { reply: '=upper case(answer)' } }));
    decide({ isCompletionConditionFulfilled: true }, { answer: 'done' });
    expect(host.variables(instance)).toEqual({ reply: 'DONE' });
  });

  it('has a conversation for each item of a multi-instance', async () => {
    const { host, instance } = await started(model({ loop: multiInstance('=[1, 2]') }));
    const ids = host
      .facts(instance)
      .flatMap((fact) =>
        fact.kind === 'JOB_CREATED' && fact.node === 'agent'
          ? [(fact.localVariables!['agentConversation'] as { id: number }).id]
          : [],
      );
    expect(new Set(ids).size).toBe(2);
  });
});

it('a job worker of another type gets nothing of this', async () => {
  const { seen } = await started(model({ job: 'agent', inputs: {}, headers: {} }));
  expect(Object.keys(seen())).toEqual(['adHocSubProcessElements']);
});
