/** Recorded conversations of agents against other prompts, models, and tools. Nothing is sent to a model. */
import { expect, it } from 'vitest';
import { adHocSubProcess, endEvent, scriptTask, serviceTask, userTask, type Xml } from '@perdure/testkit/models';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { MemoryHost, MemoryInstance } from '../../packages/testkit/memory-host.js';
import { simpleModel } from '../support/models.js';
import { item, record } from './support/recording.js';

interface Given {
  inputs?: Record<string, string>;
  tools?: Xml;
}

const search = (documentation?: string) =>
  serviceTask('search', {
    name: 'Search',
    inputs: { query: '=fromAi(toolCall.query, "Words", "string")' },
    ...(documentation !== undefined && { documentation }),
  });
const TOOLS = [search(), serviceTask('mail')];

function model({ inputs = {}, tools = TOOLS }: Given = {}): string {
  const agent = adHocSubProcess('agent', tools, [], {
    name: 'Support',
    job: 'perdure:agent',
    inputs: {
      url: 'https://models.example/v1',
      model: 'small',
      systemPrompt: 'Be kind.',
      goal: '=question',
      ...inputs,
    },
    headers: { resultVariable: 'answer' },
  });
  return simpleModel([agent, endEvent('e')], ['f1: s -> agent', 'f2: agent -> e']);
}

/** The model calls tools in one turn; the connector says so. */
function calls(host: MemoryHost, instance: MemoryInstance, turn: number, ...tools: string[]): void {
  const activateElements = tools.map((elementId, index) => ({
    elementId,
    variables: { toolCall: { query: 'x', _meta: { id: `call_${turn}_${index + 1}` } }, toolCallResult: null },
  }));
  host.completeJob(instance, 'agent', { toolCallResults: [] }, { activateElements });
}

const answers = (host: MemoryHost, instance: MemoryInstance, answer = 'Tomorrow.') =>
  host.completeJob(instance, 'agent', { answer }, { isCompletionConditionFulfilled: true });

const recorded = (given?: Given, variables: Variables = { question: 'Where is it?' }) =>
  record(
    model(given),
    (host, instance) => {
      calls(host, instance, 1, 'search', 'mail');
      host.advance(1_000);
      host.completeJob(instance, 'mail', { toolCallResult: 'sent' });
      host.completeJob(instance, 'agent', {}, {});
      host.completeJob(instance, 'search', { toolCallResult: ['order 17'] });
      calls(host, instance, 2, 'mail');
      host.completeJob(instance, 'mail', { toolCallResult: 'sent' });
      answers(host, instance);
    },
    { variables },
  );

it('a version that asks the same has the recorded answers, and calls the same tools', async () => {
  const recording = await recorded();
  expect(await item(recording, model())).toMatchObject({ outcome: 'SAME' });
});

it.each([
  ['another URL, with other limits', { inputs: { url: 'https://other.example/v1', maxTurns: '7', maxTokens: '9000' } }],
  ['a default that is written', { inputs: { tools: '=["search", "mail"]' } }],
])('%s is no other request', async (_, given) => {
  expect(await item(await recorded(), model(given))).toMatchObject({ outcome: 'SAME' });
});

it.each<[string, Given, string]>([
  ['another prompt', { inputs: { systemPrompt: 'Be brief.' } }, 'systemPrompt'],
  ['another model', { inputs: { model: 'large' } }, 'model'],
  ['another goal', { inputs: { goal: '=question + "!"' } }, 'goal'],
  ['another provider', { inputs: { provider: 'anthropic' } }, 'provider'],
  ['fewer tools', { inputs: { tools: '=["search"]' } }, 'tools'],
  ['one more tool', { tools: [...TOOLS, serviceTask('refund')] }, 'tools'],
  ['a tool with another name', { tools: [search(), serviceTask('mail', { name: 'Write' })] }, 'tools'],
])('with %s the first answer is unknown', async (_, given, part) => {
  expect(await item(await recorded(), model(given))).toMatchObject({
    outcome: 'UNANSWERED',
    first: { nodeID: 'agent', occurrence: 1 },
    reason: `agent "Support" asks its model something else in turn 1: another value of ${part}`,
  });
});

it('a prompt that parts some runs keeps the recorded answers of the others', async () => {
  const friendly = model({ inputs: { systemPrompt: '=if vip then "Be brief." else "Be kind."' } });
  const ordinary = await recorded({}, { question: 'Where is it?', vip: false });
  const important = await recorded({}, { question: 'Where is it?', vip: true });
  expect(await item(ordinary, friendly)).toMatchObject({ outcome: 'SAME' });
  expect(await item(important, friendly)).toMatchObject({
    outcome: 'UNANSWERED',
    reason: expect.stringContaining('systemPrompt'),
  });
});

it('a tool that returns something else parts the conversation in the next turn', async () => {
  const computing = (result: string) =>
    model({ tools: [scriptTask('look', result, 'toolCallResult'), serviceTask('mail')] });
  const recording = await record(
    computing('=1'),
    (host, instance) => {
      calls(host, instance, 1, 'look');
      calls(host, instance, 2, 'mail');
      host.completeJob(instance, 'mail');
      answers(host, instance);
    },
    { variables: { question: 'How many?' } },
  );
  expect(await item(recording, computing('=2 - 1'))).toMatchObject({ outcome: 'SAME' });
  expect(await item(recording, computing('=2'))).toMatchObject({
    outcome: 'UNANSWERED',
    first: { nodeID: 'agent', occurrence: 1 },
    reason: 'agent "Support" asks its model something else in turn 2: another value of results of tools',
  });
});

it('an approved call and a refused one are the same again', async () => {
  const asking = model({ inputs: { approve: '=["mail"]' } });
  const recording = await record(
    asking,
    (host, instance) => {
      calls(host, instance, 1, 'mail');
      host.completeTask(instance, 'mail#approval', { approved: true });
      host.completeJob(instance, 'mail');
      calls(host, instance, 2, 'mail');
      host.completeTask(instance, 'mail#approval', { approved: false, reason: 'No.' });
      answers(host, instance);
    },
    { variables: { question: 'May I?' } },
  );
  expect(await item(recording, asking)).toMatchObject({ outcome: 'SAME' });
});

it('nodes after an agent are compared as ever, with its recorded answer', async () => {
  const followed = (id: string) => {
    const agent = adHocSubProcess('agent', TOOLS, [], {
      job: 'perdure:agent',
      inputs: { url: 'https://models.example/v1', model: 'small', goal: 'Help' },
    });
    return simpleModel(
      [agent, userTask(id), endEvent('e')],
      ['f1: s -> agent', `f2: agent -> ${id}`, `f3: ${id} -> e`],
    );
  };
  const recording = await record(followed('check'), (host, instance) => {
    answers(host, instance);
    host.completeTask(instance, 'check');
  });
  expect(await item(recording, followed('inspect'))).toMatchObject({
    outcome: 'UNANSWERED',
    first: { nodeID: 'inspect' },
  });
});
