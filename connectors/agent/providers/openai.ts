/** Chat completions, as OpenAI and many compatible servers offer them. */
import { readStorableJson } from '@perdure/lib/storable-json.js';
import type { Json } from '@perdure/engine/contract/json.js';
import {
  failedAnswer,
  itemsOf,
  memberOf,
  toldOf,
  usageOf,
  type ModelRequest,
  type Provider,
  type Tool,
  type WrittenCall,
} from './provider.js';

export const openai: Provider = {
  headers: {},

  encode({ model, systemPrompt, goal, turns, tools, maxOutputTokens }) {
    const system = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }];
    return {
      model,
      messages: [...system, ...goal.map(({ role, content }) => ({ role, content })), ...turns.flatMap(messagesOf)],
      ...(tools.length > 0 && { tools: tools.map(toolOf) }),
      max_completion_tokens: maxOutputTokens,
    };
  },

  read(body) {
    const choice = itemsOf(memberOf(body, 'choices'))[0];
    const message = memberOf(choice, 'message');
    const reason = memberOf(choice, 'finish_reason');
    const usage = usageOf(body, 'prompt_tokens', 'completion_tokens');
    if (reason === 'content_filter' || typeof memberOf(message, 'refusal') === 'string')
      return failedAnswer('AGENT_REFUSED', usage);
    if (reason === 'length') return failedAnswer('AGENT_ANSWER_CUT', usage);
    const text = textOf(memberOf(message, 'content'));
    const calls = itemsOf(memberOf(message, 'tool_calls')).map(callOf);
    if (text === null && calls.length === 0) return failedAnswer('AGENT_ANSWER_INVALID', usage);
    return { text, calls, failure: null, ...usage };
  },
};

function messagesOf({ text, calls }: ModelRequest['turns'][number]): Json[] {
  const answer: Json = {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, elementId, arguments: given = {} }) => ({
        id,
        type: 'function',
        function: { name: elementId, arguments: JSON.stringify(given) },
      })),
    }),
  };
  return [answer, ...calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: toldOf(call) }))];
}

function toolOf({ name, description, parameters }: Tool): Json {
  return { type: 'function', function: { name, ...(description !== undefined && { description }), parameters } };
}

/** Some servers answer with parts. */
function textOf(content: Json | undefined): string | null {
  if (typeof content === 'string') return content === '' ? null : content;
  const texts = itemsOf(content).map((part) => memberOf(part, 'text'));
  const joined = texts.filter((text) => typeof text === 'string').join('');
  return joined === '' ? null : joined;
}

/** The arguments are JSON within a text. */
function callOf(call: Json): WrittenCall {
  const written = memberOf(call, 'function');
  const name = memberOf(written, 'name');
  return { name: typeof name === 'string' ? name : '', arguments: argumentsOf(memberOf(written, 'arguments')) };
}

function argumentsOf(text: Json | undefined): Json | undefined {
  if (typeof text !== 'string') return undefined;
  // A function without parameters is often called with an empty text.
  if (text.trim() === '') return {};
  const read = readStorableJson(Buffer.from(text));
  return read.ok ? (read.value as Json) : undefined;
}
