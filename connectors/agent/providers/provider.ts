/** A model as the connector sees it, whatever the format of its provider. */
import type { Json } from '@perdure/engine/contract/json.js';
import type { AgentTurn } from '../../../store/work/agents/turns.js';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON Schema of an object. */
  readonly parameters: Json;
}

export interface ModelRequest {
  readonly model: string;
  readonly systemPrompt: string | undefined;
  readonly goal: readonly Message[];
  /** Answered, with the results of their calls. */
  readonly turns: readonly Pick<AgentTurn, 'text' | 'calls'>[];
  readonly tools: readonly Tool[];
  readonly maxOutputTokens: number;
}

/** A call as the model has written it. */
export interface WrittenCall {
  readonly name: string;
  /** Undefined if they are not JSON. */
  readonly arguments: Json | undefined;
}

export interface ModelAnswer {
  readonly text: string | null;
  readonly calls: readonly WrittenCall[];
  readonly failure: AnswerFailure | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** Why an answer cannot be acted on, as the error code of the job. */
export type AnswerFailure = 'AGENT_REFUSED' | 'AGENT_ANSWER_CUT' | 'AGENT_ANSWER_INVALID';

export interface Provider {
  /** Headers that it needs, unless the inputs have them. */
  readonly headers: Readonly<Record<string, string>>;
  encode(request: ModelRequest): { readonly [name: string]: Json };
  /** An answer of another shape is `AGENT_ANSWER_INVALID`. */
  read(body: Json): ModelAnswer;
}

/** The text for the model about a call that has ended or could not run. */
export function toldOf({ problem, result }: AgentTurn['calls'][number]): string {
  if (problem !== undefined) return problem;
  return typeof result === 'string' ? result : JSON.stringify(result ?? null);
}

type Usage = Pick<ModelAnswer, 'inputTokens' | 'outputTokens'>;

/** An answer that nothing can act on. Its tokens count all the same. */
export function failedAnswer(
  failure: AnswerFailure,
  usage: Usage = { inputTokens: null, outputTokens: null },
): ModelAnswer {
  return { text: null, calls: [], failure, ...usage };
}

/** The tokens of an answer, from the members that the provider names. */
export function usageOf(body: Json, input: string, output: string): Usage {
  const usage = memberOf(body, 'usage');
  return { inputTokens: tokensOf(memberOf(usage, input)), outputTokens: tokensOf(memberOf(usage, output)) };
}

export function memberOf(json: Json | undefined, name: string): Json | undefined {
  const isObject = json !== undefined && json !== null && typeof json === 'object' && !Array.isArray(json);
  return isObject && Object.hasOwn(json, name) ? json[name] : undefined;
}

export function itemsOf(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : [];
}

const MAX_TOKENS_OF_ANSWER = 1_000_000_000;

/** A count of tokens as providers write it. */
function tokensOf(json: Json | undefined): number | null {
  return typeof json === 'number' && Number.isInteger(json) && json >= 0 && json <= MAX_TOKENS_OF_ANSWER ? json : null;
}
