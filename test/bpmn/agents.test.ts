import { describe, expect, it, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { readForm } from '@perdure/forms/read-form.js';
import { graphOf, nodeOf, problemsOf, through } from './support/model.js';

interface Given {
  inputs?: Record<string, string>;
  headers?: Record<string, string>;
  adHoc?: string;
  tools?: string;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const INPUTS = { url: 'https://models.example/v1/chat/completions', model: 'small', goal: '=question' };

function agent({ inputs = INPUTS, headers = {}, adHoc = '', tools = '<bpmn:task id="search"/>' }: Given = {}): string {
  const inputTags = Object.entries(inputs).map(
    ([target, source]) => `<zeebe:input source="${escaped(source)}" target="${target}"/>`,
  );
  const headerTags = Object.entries(headers).map(
    ([key, value]) => `<zeebe:header key="${key}" value="${escaped(value)}"/>`,
  );
  return through(
    `<bpmn:adHocSubProcess id="m"><bpmn:extensionElements><zeebe:taskDefinition type="perdure:agent"/>${adHoc}` +
      `<zeebe:ioMapping>${inputTags.join('')}</zeebe:ioMapping><zeebe:taskHeaders>${headerTags.join('')}</zeebe:taskHeaders>` +
      `</bpmn:extensionElements>${tools}</bpmn:adHocSubProcess>`,
  );
}

const errorsOf = async (given: Given) => (await problemsOf(agent(given))).filter((line) => line.startsWith('error'));

test('an agent with all inputs and headers compiles, and its graph names the result variable', async () => {
  const inputs = {
    ...INPUTS,
    provider: 'anthropic',
    headers: '={"x-api-key": "{{secrets.MODEL}}"}',
    systemPrompt: 'You help customers.',
    maxTurns: '5',
    maxTokens: '100000',
    tools: '=["search"]',
    approve: '=["search"]',
    approvers: '=["support"]',
    note: 'an ordinary local variable',
  };
  const xml = agent({ inputs, headers: { resultVariable: 'answer', retryBackoff: 'PT10S' } });
  expect((await problemsOf(xml)).filter((line) => line.startsWith('error'))).toEqual([]);
  expect(nodeOf(await graphOf(xml), 'adHocSubProcess').agent).toEqual({ resultVariable: 'answer' });
});

describe('an agent is refused', () => {
  it.each<[string, Given, string]>([
    ['without a URL', { inputs: { model: 'm', goal: 'g' } }, 'the input url is missing. Add it.'],
    ['without a goal', { inputs: { url: INPUTS.url, model: 'm' } }, 'the input goal is missing. Add it.'],
    ['with an empty model', { inputs: { ...INPUTS, model: '' } }, 'the input model must have a value, not ""'],
    [
      'with an unknown provider',
      { inputs: { ...INPUTS, provider: 'acme' } },
      'the input provider must be one of openai, anthropic, not "acme"',
    ],
    ['with a relative URL', { inputs: { ...INPUTS, url: '/v1' } }, 'the input url must be an absolute URL, not "/v1"'],
    [
      'with a model whose name is too long',
      { inputs: { ...INPUTS, model: 'm'.repeat(256) } },
      `the input model must have at most 255 characters, not "${'m'.repeat(100)}`,
    ],
    [
      'with no turn',
      { inputs: { ...INPUTS, maxTurns: '0' } },
      'the input maxTurns must be a whole number from 1 to 1000, not "0"',
    ],
    [
      'with tokens that are not a number',
      { inputs: { ...INPUTS, maxTokens: 'many' } },
      'the input maxTokens must be a whole number from 1 to 1000000000, not "many"',
    ],
    ['with tools that are a text', { inputs: { ...INPUTS, tools: 'search' } }, 'the input tools must be FEEL'],
    ['with headers that are a text', { inputs: { ...INPUTS, headers: 'x' } }, 'the input headers must be FEEL'],
    [
      'with a secret in its prompt',
      { inputs: { ...INPUTS, systemPrompt: 'Use {{secrets.KEY}}' } },
      'its input systemPrompt names a secret. Only headers can',
    ],
    [
      'with a secret in an expression',
      { inputs: { ...INPUTS, goal: '="{{ secrets.KEY }}"' } },
      'its input goal names a secret',
    ],
    [
      'with a text as the tools to approve',
      { inputs: { ...INPUTS, approve: 'search' } },
      'the input approve must be FEEL',
    ],
    [
      'with a text as approvers',
      { inputs: { ...INPUTS, approve: '=[]', approvers: 'support' } },
      'the input approvers must be FEEL that returns a list of groups',
    ],
    [
      'with approvers of nothing',
      { inputs: { ...INPUTS, approvers: '=["support"]' } },
      'the input approvers has no effect without the input approve.',
    ],
    [
      'with an unknown header',
      { headers: { resultExpression: '=1' } },
      'the task header resultExpression is not known. The headers are resultVariable, retryBackoff.',
    ],
    [
      'with a backoff that is not a duration',
      { headers: { retryBackoff: 'soon' } },
      'the task header retryBackoff must be a duration of up to 24 hours',
    ],
    [
      'with an output collection',
      { adHoc: '<zeebe:adHoc outputCollection="all" outputElement="=1"/>' },
      'it collects the results of its tools for the model',
    ],
  ])('%s', async (_what, given, message) => {
    expect(await errorsOf(given)).toEqual([
      expect.stringContaining(`error m: m has the job type perdure:agent, but ${message}`),
    ]);
  });

  it('as a task that is not an ad-hoc sub-process', async () => {
    const xml = through(
      '<bpmn:serviceTask id="m"><bpmn:extensionElements><zeebe:taskDefinition type="perdure:agent"/></bpmn:extensionElements></bpmn:serviceTask>',
    );
    expect(await problemsOf(xml)).toEqual([
      'error m: m has the job type perdure:agent, but only an ad-hoc sub-process can have it.',
    ]);
  });

  it('with a tool whose id no provider accepts', async () => {
    expect(await errorsOf({ tools: '<bpmn:task id="search.orders"/>' })).toEqual([
      expect.stringContaining(
        'error search.orders: search.orders is a tool of the agent m, so models call it by its id.',
      ),
    ]);
  });
});

describe('an agent with calls to approve', () => {
  const inputs = { ...INPUTS, approve: '=["search"]', approvers: '=["support"]' };

  it('has a user task for each tool, with the tool, the arguments, and the reason', async () => {
    const graph = await graphOf(
      agent({ inputs, tools: '<bpmn:task id="search" name="Search orders"/><bpmn:task id="mail"/>' }),
    );
    const tasks = graph.nodes.filter((node) => node.kind === 'userTask');
    expect(tasks).toMatchObject([
      { id: 'search#approval', name: 'Approve: Search orders', parent: 'm#innerInstance', approves: 'search' },
      { id: 'mail#approval', name: 'Approve: mail', approves: 'mail' },
    ]);
    expect(tasks[0]!.inputs!.map(({ target }) => target[0])).toEqual([
      'tool',
      'arguments',
      'why',
      'approved',
      'reason',
    ]);
    expect(await problemsOf(agent({ inputs }))).toEqual(await problemsOf(agent()));
  });

  it('brings a form for them, which is a valid form', async () => {
    const { processes } = await compile(agent({ inputs }));
    const [text] = Object.values(processes[0]!.forms!.embedded!);
    expect(readForm(text!, { isEmbedded: true }).ok).toBe(true);
    expect((await compile(agent())).processes[0]!.forms).toBeUndefined();
  });
});

test('names that tools read are known', async () => {
  const tools =
    '<bpmn:scriptTask id="search"><bpmn:extensionElements><zeebe:script expression="=toolCall.query" resultVariable="toolCallResult"/></bpmn:extensionElements></bpmn:scriptTask>';
  const warnings = await problemsOf(agent({ tools, inputs: { ...INPUTS, goal: 'Help' } }));
  expect(warnings.join()).not.toContain('toolCall');
});
