/** Messages of Anthropic. */
import type { Json } from '@perdure/engine/contract/json.js';
import {
  failedAnswer,
  itemsOf,
  memberOf,
  toldOf,
  usageOf,
  type ModelRequest,
  type Provider,
  type WrittenCall,
} from './provider.js';

export const anthropic: Provider = {
  headers: { 'anthropic-version': '2023-06-01' },

  encode({ model, systemPrompt, goal, turns, tools, maxOutputTokens }) {
    return {
      model,
      max_tokens: maxOutputTokens,
      ...(systemPrompt !== undefined && { system: systemPrompt }),
      messages: [...goal.map(({ role, content }) => ({ role, content })), ...turns.flatMap(messagesOf)],
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          ...(description !== undefined && { description }),
          input_schema: parameters,
        })),
      }),
    };
  },

  read(body) {
    const usage = usageOf(body, 'input_tokens', 'output_tokens');
    const reason = memberOf(body, 'stop_reason');
    if (reason === 'refusal') return failedAnswer('AGENT_REFUSED', usage);
    if (reason === 'max_tokens' || reason === 'model_context_window_exceeded')
      return failedAnswer('AGENT_ANSWER_CUT', usage);
    const blocks = itemsOf(memberOf(body, 'content'));
    const calls = blocks.filter((block) => memberOf(block, 'type') === 'tool_use').map(callOf);
    const texts = blocks.filter((block) => memberOf(block, 'type') === 'text').map((block) => memberOf(block, 'text'));
    const text = texts.filter((part) => typeof part === 'string').join('');
    if (text === '' && calls.length === 0) return failedAnswer('AGENT_ANSWER_INVALID', usage);
    return { text: text === '' ? null : text, calls, failure: null, ...usage };
  },
};

/** Empty texts are refused by the service. */
function messagesOf({ text, calls }: ModelRequest['turns'][number]): Json[] {
  const said: Json[] = text === null ? [] : [{ type: 'text', text }];
  const used = calls.map(({ id, elementId, arguments: given = {} }): Json => ({
    type: 'tool_use',
    id,
    name: elementId,
    input: given,
  }));
  const results = calls.map((call): Json => {
    const content = toldOf(call);
    return {
      type: 'tool_result',
      tool_use_id: call.id,
      ...(content !== '' && { content }),
      ...(call.problem !== undefined && { is_error: true }),
    };
  });
  return [
    { role: 'assistant', content: [...said, ...used] },
    ...(results.length > 0 ? [{ role: 'user', content: results }] : []),
  ];
}

function callOf(block: Json): WrittenCall {
  const name = memberOf(block, 'name');
  return { name: typeof name === 'string' ? name : '', arguments: memberOf(block, 'input') };
}
