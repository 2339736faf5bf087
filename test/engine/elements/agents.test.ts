/** Ad-hoc sub-processes that a model drives, as the connector sees them. */
import { describe, expect, it } from 'vitest';
import type { JobResult, ModificationInstruction } from '@perdure/engine/contract/commands.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import {
  adHocSubProcess,
  boundaryEvent,
  endEvent,
  multiInstance,
  on,
  serviceTask,
  type AdHocOptions,
} from '@perdure/testkit/models';
import { MemoryHost, type MemoryInstance } from '../../../packages/testkit/memory-host.js';
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

describe('a call that a person approves first', () => {
  const approving = (more: AdHocOptions = {}) =>
    model({ inputs: { ...inputs, approve: '=["search"]', approvers: '=["support"]' }, ...more });
  const decided = (host: MemoryHost, instance: MemoryInstance, variables: Variables) =>
    host.completeTask(instance, 'search#approval', variables);

  it('waits for a user task of the approvers, which shows what the agent wants and why', async () => {
    const { host, instance, decide } = await started(approving());
    const { elementId, variables } = call('c1');
    const _meta = { id: 'c1', name: elementId, text: 'I look it up.' };
    decide({ activateElements: [{ elementId, variables: { ...variables, toolCall: { query: 'c1', _meta } } }] });
    expect(host.waiting(instance)).toEqual(['userTask search#approval']);
    const task = host.facts(instance).find((fact) => fact.kind === 'USER_TASK_CREATED');
    expect(task).toMatchObject({ candidateGroups: ['support'], formKey: 'camunda-forms:bpmn:agent#approval' });
    expect(task).toMatchObject({
      localVariables: {
        tool: 'search',
        arguments: { query: 'c1' },
        why: 'I look it up.',
        approved: false,
        reason: null,
      },
    });
  });

  it('runs once it is approved, and its result says so', async () => {
    const { host, instance, decide, seen } = await started(approving());
    decide({ activateElements: [call('c1')] });
    decided(host, instance, { approved: true });
    expect(host.waiting(instance)).toEqual(['job search']);
    host.completeJob(instance, 'search', { toolCallResult: 'found' });
    expect(seen()['toolCallResults']).toEqual([{ id: 'c1', result: 'found', approved: true }]);
    expect(host.variables(instance)).toEqual({});
  });

  it.each<[string, Variables, string]>([
    ['with a reason', { approved: false, reason: ' Too expensive ' }, 'A person has refused this call: Too expensive'],
    ['without a reason', { approved: false }, 'A person has refused this call.'],
    ['by a completion without a decision', {}, 'A person has refused this call.'],
    ['by a decision that is a text', { approved: 'true', reason: 7 }, 'A person has refused this call.'],
  ])('never runs when it is refused %s', async (_what, decision, result) => {
    const { host, instance, decide, seen } = await started(approving(), { approved: true });
    decide({ activateElements: [call('c1')] });
    decided(host, instance, decision);
    expect(host.waiting(instance)).toEqual(['job agent']);
    expect(seen()['toolCallResults']).toEqual([{ id: 'c1', result, approved: false }]);
    expect(host.variables(instance)).toEqual({ approved: true });
  });

  it('waits alone: other calls run, and the connector learns that it is open', async () => {
    const { host, instance, decide, conversation } = await started(approving());
    decide({ activateElements: [call('c1'), call('c2', 'mail')] });
    expect(host.waiting(instance).toSorted()).toEqual(['job mail', 'userTask search#approval']);
    host.completeJob(instance, 'mail');
    expect(conversation().openCalls).toEqual(['c1']);
  });

  it('is every call if the variable approve is not a list', async () => {
    const { host, instance, decide } = await started(approving({ inputs: { ...inputs, approve: '=null' } }));
    decide({ activateElements: [call('c1'), call('c2', 'mail')] });
    expect(host.waiting(instance).toSorted()).toEqual(['userTask mail#approval', 'userTask search#approval']);
  });

  it('cannot be begun from outside, but its tool can, by the person who decides', async () => {
    const { host, instance } = await started(approving());
    const begin = (nodeID: string) => host.command(instance, { kind: 'TRIGGER_AD_HOC', node: 'agent', nodeID });
    expect(begin('search#approval')).toMatchObject({ status: 'REJECTED' });
    expect(
      host.command(instance, {
        kind: 'MODIFY',
        instructions: [{ type: 'START_BEFORE_NODE', nodeID: 'search#approval' }],
      }),
    ).toMatchObject({ status: 'REJECTED', message: expect.stringContaining('start before search to run the tool') });
    begin('search');
    expect(host.waiting(instance).toSorted()).toEqual(['job agent', 'job search']);
  });

  it('does not run when its approval is canceled, also if something else runs in its activation', async () => {
    const { host, instance, decide, seen } = await started(approving());
    const modify = (...instructions: ModificationInstruction[]) =>
      expect(host.command(instance, { kind: 'MODIFY', instructions })).toMatchObject({ status: 'APPLIED' });
    decide({ activateElements: [call('c1')] });
    modify({ type: 'CANCEL_TOKEN', nodeID: 'search#approval' });
    expect(host.waiting(instance)).toEqual(['job agent']);
    expect(seen()).not.toHaveProperty('toolCallResults');
    decide({ activateElements: [call('c2')] });
    const flow = Object.values(instance.state.elements).find(({ node }) => node === 'agent#innerInstance')!;
    modify(
      { type: 'START_BEFORE_NODE', nodeID: 'mail', scope: flow.id },
      { type: 'CANCEL_TOKEN', nodeID: 'search#approval' },
    );
    host.completeJob(instance, 'mail');
    expect(host.waiting(instance)).toEqual(['job agent']);
  });

  it('ends with the sub-process when a boundary event interrupts it', async () => {
    const { host, instance, decide } = await started(
      simpleModel(
        [
          adHocSubProcess('agent', [serviceTask('search')], [], {
            job: 'perdure:agent',
            inputs: { ...inputs, approve: '=["search"]' },
          }),
          boundaryEvent('failed', 'agent', on.error()),
          serviceTask('byHand'),
          endEvent('e'),
        ],
        ['f1: s -> agent', 'f2: agent -> e', 'f3: failed -> byHand', 'f4: byHand -> e'],
      ),
    );
    decide({ activateElements: [call('c1')] });
    host.command(instance, {
      kind: 'THROW_USER_TASK_ERROR',
      execution: host.wait(instance, 'userTask', 'search#approval').id,
      errorCode: 'UNDECIDED',
    });
    expect(host.waiting(instance)).toEqual(['job byHand']);
  });

  it('migrates with its tool, and never becomes the approval of another tool', async () => {
    const { host, instance, decide } = await started(approving());
    decide({ activateElements: [call('c1')] });
    await host.deploy(
      approving()
        .replaceAll('id="search"', 'id="find"')
        .replaceAll('type="search"', 'type="find"')
        .replaceAll('[&quot;search&quot;]', '[&quot;find&quot;]')
        .replaceAll('"agent"', '"helper"'),
    );
    const migrate = (search: string) => host.migrate(instance, { agent: 'helper', search });
    expect(host.migrate(instance, { agent: 'helper', 'search#approval': 'mail#approval' })).toMatchObject({
      status: 'REJECTED',
      message: expect.stringContaining('search#approval decides about calls of search, but mail#approval'),
    });
    expect(migrate('find').status).toBe('APPLIED');
    host.completeTask(instance, 'find#approval', { approved: true });
    expect(host.waiting(instance)).toEqual(['job find']);
  });

  it('cannot migrate to a version without approvals while one is open', async () => {
    const { host, instance, decide } = await started(approving());
    decide({ activateElements: [call('c1')] });
    await host.deploy(model());
    expect(host.migrate(instance)).toMatchObject({ status: 'REJECTED', code: 'BAD_REQUEST' });
  });

  it('is decided after a pause', async () => {
    const { host, instance, decide } = await started(approving());
    decide({ activateElements: [call('c1')] });
    const { id: execution } = host.wait(instance, 'userTask', 'search#approval');
    host.suspend(instance);
    expect(
      host.send(instance, { kind: 'COMPLETE_USER_TASK', execution, variables: { approved: true } }),
    ).toBeUndefined();
    host.resume(instance);
    expect(host.waiting(instance)).toEqual(['job search']);
  });

  it('is an incident without room for the reason, and is decided again when that is resolved', async () => {
    const { host, instance, decide } = await started(approving());
    decide({ activateElements: [call('c1')] });
    host.completeTask(instance, 'search#approval', { reason: 'x'.repeat(2_000_000) });
    expect(host.incidents(instance)).toMatchObject([{ node: 'search#approval' }]);
    host.resolve(instance, 'search#approval');
    host.completeTask(instance, 'search#approval', { approved: true });
    expect(host.waiting(instance)).toEqual(['job search']);
  });

  it('takes its turn in a sequential sub-process', async () => {
    const { host, instance, decide } = await started(approving({ ordering: 'Sequential' }));
    decide({ activateElements: [call('c1'), call('c2', 'mail')] });
    expect(host.waiting(instance)).toEqual(['userTask search#approval']);
    host.completeTask(instance, 'search#approval', { approved: true });
    expect(host.waiting(instance)).toEqual(['job search']);
    host.completeJob(instance, 'search');
    expect(host.waiting(instance).toSorted()).toEqual(['job agent', 'job mail']);
  });
});

it('a job worker of another type gets nothing of this', async () => {
  const { seen } = await started(model({ job: 'agent', inputs: {}, headers: {} }));
  expect(Object.keys(seen())).toEqual(['adHocSubProcessElements']);
});
