/** The next step of an agent, and how calls and answers of models are read. */
import { describe, expect, it } from 'vitest';
import type { Json } from '@perdure/engine/contract/json.js';
import { nextStep, type Situation } from '../../connectors/agent/next-step.js';
import { anthropic } from '../../connectors/agent/providers/anthropic.js';
import { openai } from '../../connectors/agent/providers/openai.js';
import { readCalls, toolOf } from '../../connectors/agent/tools.js';
import type { AgentTurn, ToolCall } from '../../store/work/agents/turns.js';

const JOB = 20;

const turn = (given: Partial<AgentTurn>): AgentTurn => ({
  element: 5,
  turn: 1,
  model: 'small',
  job: JOB,
  isActedOn: false,
  startedAt: new Date(0),
  durationMs: 1,
  isAnswered: true,
  countedTokens: 0,
  failure: null,
  text: null,
  calls: [],
  inputTokens: null,
  outputTokens: null,
  ...given,
});
const call = (id: string, more: Partial<ToolCall> = { arguments: {} }): ToolCall => ({
  id,
  elementId: 'search',
  ...more,
});
const failedCall = (id: string): ToolCall => call(id, { problem: 'There is no tool of this name.' });

const situation = (
  given: { open?: string[]; results?: Record<string, Json>; elements?: string[] } = {},
): Situation => ({
  job: JOB,
  openCalls: new Set(given.open),
  results: new Map(Object.entries(given.results ?? {}).map(([id, result]) => [id, { result }])),
  elements: new Set(given.elements ?? ['search', 'mail']),
});

describe('the next step', () => {
  it('is the first question of a conversation without turns', () => {
    expect(nextStep([], situation())).toEqual({ kind: 'ask', turn: 1 });
  });

  it('is the same question again if a connector died before it stored the answer', () => {
    expect(nextStep([turn({ isAnswered: false, job: 3 })], situation())).toEqual({ kind: 'ask', turn: 1 });
  });

  it('is the end after an answer without calls', () => {
    expect(nextStep([turn({ text: 'Done' })], situation())).toEqual({ kind: 'finish', text: 'Done' });
  });

  it('starts the calls of an answer that a connector stored before it died', () => {
    const calls = [call('a'), failedCall('b')];
    expect(nextStep([turn({ calls })], situation())).toEqual({ kind: 'start', turn: 1, text: null, calls: [calls[0]] });
  });

  it('starts them under a later job if the one before was canceled', () => {
    const calls = [call('a')];
    expect(nextStep([turn({ calls, job: 3 })], situation())).toMatchObject({ kind: 'start' });
  });

  it('never starts a call again that runs or has ended, whatever its job looks like', () => {
    const calls = [call('a'), call('b')];
    expect(nextStep([turn({ calls, job: 3 })], situation({ open: ['a'], results: { b: 1 } }))).toEqual({
      kind: 'wait',
    });
  });

  it('never starts a call again once its job has completed', () => {
    const step = nextStep([turn({ calls: [call('a')], job: 3, isActedOn: true })], situation());
    expect(step).toMatchObject({
      kind: 'ask',
      turn: 2,
      told: [{ id: 'a', problem: expect.stringContaining('canceled') }],
    });
  });

  it('waits until the last call has ended, then asks with all results', () => {
    const turns = [turn({ calls: [call('a'), call('b'), failedCall('c')], job: 3, isActedOn: true })];
    expect(nextStep(turns, situation({ open: ['b'], results: { a: 1 } }))).toEqual({ kind: 'wait' });
    expect(nextStep(turns, situation({ results: { a: 1, b: null } }))).toEqual({
      kind: 'ask',
      turn: 2,
      told: [call('a', { arguments: {}, result: 1 }), call('b', { arguments: {}, result: null }), failedCall('c')],
    });
  });

  it('keeps the decision of a person about a call', () => {
    const turns = [turn({ calls: [call('a')], job: 3, isActedOn: true })];
    const results = new Map([['a', { result: 'refused', approved: false }]]);
    expect(nextStep(turns, { ...situation(), results })).toMatchObject({
      told: [{ id: 'a', result: 'refused', approved: false }],
    });
  });

  it('asks at once if no call can run', () => {
    const step = nextStep([turn({ calls: [failedCall('a')] })], situation());
    expect(step).toEqual({ kind: 'ask', turn: 2, told: [failedCall('a')] });
  });

  it('tells the model about a tool that a migration has removed, instead of a decision that the engine refuses forever', () => {
    const step = nextStep([turn({ calls: [call('a')] })], situation({ elements: ['mail'] }));
    expect(step).toMatchObject({ kind: 'ask', turn: 2, told: [{ id: 'a', problem: expect.any(String) }] });
  });

  it('reports a failed answer to its job, and asks again for a later job', () => {
    expect(nextStep([turn({ failure: 'AGENT_REFUSED' })], situation())).toEqual({
      kind: 'fail',
      failure: 'AGENT_REFUSED',
    });
    expect(nextStep([turn({ failure: 'AGENT_REFUSED', job: 3 })], situation())).toEqual({ kind: 'ask', turn: 2 });
  });
});

describe('a call of a tool', () => {
  const tools = [
    {
      elementId: 'search',
      parameters: [
        { name: 'query', type: 'string' },
        { name: 'limit', type: 'integer', options: { required: false } },
      ],
    },
    { elementId: 'ping' },
  ];
  const read = (name: string, given: Json | undefined) => readCalls(3, [{ name, arguments: given }], tools)[0]!;

  it('runs with known arguments of the right types', () => {
    expect(read('search', { query: 'a', limit: 3 })).toEqual({
      id: 'call_3_1',
      elementId: 'search',
      arguments: { query: 'a', limit: 3 },
    });
    expect(read('search', { query: 'a', limit: null }).problem).toBeUndefined();
    expect(read('ping', {}).problem).toBeUndefined();
  });

  it.each<[string, string, Json | undefined, string]>([
    ['an unknown tool', 'deleteEverything', {}, 'There is no tool of this name.'],
    ['arguments that are not JSON', 'search', undefined, 'Its arguments are not valid JSON.'],
    ['arguments that are a list', 'search', [], 'Its arguments must be an object.'],
    ['a missing argument', 'search', { limit: 1 }, 'The parameter query is missing.'],
    ['an argument of the wrong type', 'search', { query: 7 }, 'The parameter query must have the type string.'],
    ['a fraction instead of a whole number', 'search', { query: 'a', limit: 1.5 }, 'must have the type integer.'],
    ['null for a required argument', 'search', { query: null }, 'The parameter query must have the type string.'],
    ['an argument without a parameter', 'search', { query: 'a', _meta: { id: 'x' } }, 'an unknown name.'],
  ])('does not run with %s, and the model gets the reason', (_what, name, given, problem) => {
    const found = read(name, given);
    expect(found.problem).toContain(problem);
    expect(found).not.toHaveProperty('arguments');
  });

  it('keeps the name of an unknown tool short and in letters that every provider accepts', () => {
    expect(read(`rm -rf /${'x'.repeat(500)}`, {}).elementId).toMatch(/^rm_-rf__x{56}$/);
    expect(read('', {}).elementId).toBe('unnamed');
  });

  it('is one of at most 64, and the next one is refused', () => {
    const many = Array.from({ length: 5_000 }, () => ({ name: 'ping', arguments: {} }));
    const calls = readCalls(1, many, tools);
    expect(calls).toHaveLength(65);
    expect(calls.filter((one) => one.arguments !== undefined)).toHaveLength(64);
    expect(calls[64]!.problem).toContain('At most 64 calls');
  });

  it('is described to the model as JSON Schema', () => {
    expect(toolOf({ ...tools[0]!, elementName: 'Search', documentation: 'In the handbook' })).toEqual({
      name: 'search',
      description: 'Search\nIn the handbook',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' }, limit: { type: 'integer' } },
        required: ['query'],
        additionalProperties: false,
      },
    });
  });
});

const request = {
  model: 'small',
  systemPrompt: 'Be kind.',
  goal: [{ role: 'user' as const, content: 'Where is my order?' }],
  turns: [
    {
      text: 'I look.',
      calls: [call('call_1_1', { arguments: { query: 'a' }, result: { n: 1 } }), failedCall('call_1_2')],
    },
  ],
  tools: [{ name: 'search', description: undefined, parameters: { type: 'object' } }],
  maxOutputTokens: 100,
};

describe('chat completions', () => {
  it('repeat the conversation with every result', () => {
    expect(openai.encode(request)).toEqual({
      model: 'small',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Where is my order?' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: 'call_1_1', type: 'function', function: { name: 'search', arguments: '{"query":"a"}' } },
            { id: 'call_1_2', type: 'function', function: { name: 'search', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1_1', content: '{"n":1}' },
        { role: 'tool', tool_call_id: 'call_1_2', content: 'There is no tool of this name.' },
      ],
      tools: [{ type: 'function', function: { name: 'search', parameters: { type: 'object' } } }],
      max_completion_tokens: 100,
    });
  });

  const answer = (message: Json, finish_reason = 'stop'): Json => ({
    choices: [{ message, finish_reason }],
    usage: { prompt_tokens: 12, completion_tokens: 3 },
  });

  it('are read with calls, texts, and tokens', () => {
    const tool_calls: Json = [
      { function: { name: 'search', arguments: '{"query":"a"}' } },
      { function: { name: 'search', arguments: '{"query":' } },
      { function: { name: 'search', arguments: '{"a":1,"a":2}' } },
      { function: { name: 'ping', arguments: '' } },
      {},
    ];
    expect(openai.read(answer({ content: null, tool_calls }, 'tool_calls'))).toEqual({
      text: null,
      calls: [
        { name: 'search', arguments: { query: 'a' } },
        { name: 'search', arguments: undefined },
        { name: 'search', arguments: undefined },
        { name: 'ping', arguments: {} },
        { name: '', arguments: undefined },
      ],
      failure: null,
      inputTokens: 12,
      outputTokens: 3,
    });
    expect(openai.read(answer({ content: [{ type: 'text', text: 'Hi' }] }))).toMatchObject({ text: 'Hi', calls: [] });
  });

  it.each<[string, Json, string]>([
    ['a refusal', answer({ refusal: 'I cannot', content: null }), 'AGENT_REFUSED'],
    ['a filtered answer', answer({ content: 'x' }, 'content_filter'), 'AGENT_REFUSED'],
    ['an answer that was cut off', answer({ content: 'x' }, 'length'), 'AGENT_ANSWER_CUT'],
    ['an empty answer', answer({ content: '' }), 'AGENT_ANSWER_INVALID'],
    ['another document', { error: 'x' }, 'AGENT_ANSWER_INVALID'],
    ['a list', [], 'AGENT_ANSWER_INVALID'],
    ['null', null, 'AGENT_ANSWER_INVALID'],
  ])('with %s are a failure', (_what, body, failure) => {
    expect(openai.read(body)).toMatchObject({ failure, text: null, calls: [] });
  });
});

describe('messages of Anthropic', () => {
  it('repeat the conversation with every result', () => {
    expect(anthropic.encode(request)).toEqual({
      model: 'small',
      max_tokens: 100,
      system: 'Be kind.',
      messages: [
        { role: 'user', content: 'Where is my order?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'call_1_1', name: 'search', input: { query: 'a' } },
            { type: 'tool_use', id: 'call_1_2', name: 'search', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1_1', content: '{"n":1}' },
            { type: 'tool_result', tool_use_id: 'call_1_2', content: 'There is no tool of this name.', is_error: true },
          ],
        },
      ],
      tools: [{ name: 'search', input_schema: { type: 'object' } }],
    });
  });

  const answer = (content: Json, stop_reason = 'end_turn'): Json => ({
    content,
    stop_reason,
    usage: { input_tokens: 12, output_tokens: 3 },
  });

  it('are read with calls, texts, and tokens', () => {
    const content: Json = [
      { type: 'thinking', thinking: 'hidden' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'x', name: 'search', input: { query: 'a' } },
    ];
    expect(anthropic.read(answer(content, 'tool_use'))).toEqual({
      text: 'I look.',
      calls: [{ name: 'search', arguments: { query: 'a' } }],
      failure: null,
      inputTokens: 12,
      outputTokens: 3,
    });
  });

  it.each<[string, Json, string]>([
    ['a refusal', answer([{ type: 'text', text: 'no' }], 'refusal'), 'AGENT_REFUSED'],
    ['an answer that was cut off', answer([{ type: 'text', text: 'x' }], 'max_tokens'), 'AGENT_ANSWER_CUT'],
    ['no content', answer([]), 'AGENT_ANSWER_INVALID'],
    ['another document', 'hello', 'AGENT_ANSWER_INVALID'],
  ])('with %s are a failure', (_what, body, failure) => {
    expect(anthropic.read(body)).toMatchObject({ failure, text: null, calls: [] });
  });
});
