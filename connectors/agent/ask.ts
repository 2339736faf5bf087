/** One request to a model: counted before it is sent, and its answer stored before anything acts on it. */
import type { Json } from '@perdure/engine/contract/json.js';
import { readStorableJson } from '@perdure/lib/storable-json.js';
import { OutboundError } from '../../outbound/egress/outbound-error.js';
import { maskJson } from '../../outbound/secrets/mask.js';
import {
  beginSending,
  storeAnswer,
  takeBackTokens,
  type AgentTurn,
  type Answer,
  type ToolCall,
} from '../../store/work/agents/turns.js';
import { failureOf } from '../http/answer.js';
import { readCall, type Call } from '../http/call.js';
import { MAX_BODY_BYTES } from '../http/request.js';
import { sendCall, type AnsweredCall } from '../http/send-call.js';
import { TaskError } from '../results/task-error.js';
import { NotNow, type SendingTasksOptions } from '../work.js';
import type { Agent } from './agent.js';
import { failedAnswer, type ModelAnswer } from './providers/provider.js';
import { readCalls, toolOf } from './tools.js';
import { stored } from './stored.js';

/** Reserved for each answer, and the most that a model may write. */
const MAX_OUTPUT_TOKENS = 4_096;
/** Tokens are longer in every language that models are made for, and a byte more or less is only counted late. */
const BYTES_PER_TOKEN = 3;

const TIMEOUTS = { connectionMilliseconds: 20_000, readMilliseconds: 300_000 };

/** Errors after which the model may have answered. */
const MAYBE_ANSWERED: ReadonlySet<string> = new Set(['HTTP_TIMEOUT', 'HTTP_CONNECTION', 'HTTP_ANSWER_TOO_LARGE']);

interface Question {
  readonly number: number;
  readonly call: Call;
  /** Estimated input and reserved output. */
  readonly tokens: number;
}

/**
 * Asks for the answer of a turn, and stores it.
 * @param told the calls of the turn before, with what the model learns about them; undefined if that is stored
 * @throws TaskError; NotNow; the reason of the signal if it is aborted
 */
export async function ask(
  options: SendingTasksOptions,
  agent: Agent,
  turns: readonly AgentTurn[],
  { turn, told }: { turn: number; told?: readonly ToolCall[] },
  signal: AbortSignal,
): Promise<void> {
  const { maxTurns, maxTokens } = agent.settings;
  if (turn > maxTurns)
    throw new TaskError(
      'AGENT_TURNS_EXHAUSTED',
      `The agent has taken the ${maxTurns} turns that its input maxTurns allows, and has not finished. Set the variable maxTurns of the sub-process and resolve the incident to let it continue.`,
    );
  const question = questionOf(agent, turns, turn, told);
  const begun = await stored(
    beginSending(options.store, agent.conversation, agent.lease, {
      turn,
      nodeID: agent.nodeID,
      model: agent.settings.model,
      tokens: question.tokens,
      maxTokens,
      told,
    }),
  );
  if (begun === 'LEASE_LOST') throw new NotNow('The lease on the job was lost');
  if (begun === 'EXHAUSTED') throw exhausted(maxTokens!);
  const startedAt = performance.now();
  const answered = await send(options, agent, question, signal);
  const answer = readAnswer(agent, turn, answered);
  const used =
    answer.inputTokens === null || answer.outputTokens === null
      ? question.tokens
      : answer.inputTokens + answer.outputTokens;
  const durationMs = Math.round(performance.now() - startedAt);
  await stored(
    storeAnswer(options.store, agent.conversation, turn, answer, { reserved: question.tokens, used, durationMs }),
  );
}

/** The request of a turn, which follows from the conversation alone. */
export function questionOf(
  { settings, tools }: Agent,
  turns: readonly AgentTurn[],
  number: number,
  told: readonly ToolCall[] | undefined,
): Question {
  const { provider, url, headers, model, systemPrompt, goal, maxTokens } = settings;
  const before = turns.filter((turn) => turn.turn < number && turn.failure === null);
  const conversation = before.map((turn, index) =>
    told && index === before.length - 1 ? { text: turn.text, calls: told } : turn,
  );
  const encode = (maxOutputTokens: number) =>
    provider.encode({ model, systemPrompt, goal, turns: conversation, tools: tools.map(toolOf), maxOutputTokens });
  const bytes = Buffer.byteLength(JSON.stringify(encode(MAX_OUTPUT_TOKENS)));
  if (bytes > MAX_BODY_BYTES)
    throw new TaskError(
      'AGENT_CONVERSATION_TOO_LARGE',
      `The conversation takes ${bytes} bytes, but at most ${MAX_BODY_BYTES} are sent. Let the tools return less.`,
    );
  const input = Math.ceil(bytes / BYTES_PER_TOKEN);
  const counted = turns.reduce((sum, { countedTokens }) => sum + countedTokens, 0);
  const left = maxTokens === undefined ? MAX_OUTPUT_TOKENS : maxTokens - counted - input;
  if (left < 1) throw exhausted(maxTokens!);
  const output = Math.min(MAX_OUTPUT_TOKENS, left);
  const call = readCall({
    ...(url !== undefined && { url }),
    headers: withDefaults(provider.headers, headers),
    method: 'POST',
    body: encode(output) as Json,
  });
  return { number, call, tokens: input + output };
}

/** Names of headers are in any case. */
function withDefaults(defaults: Readonly<Record<string, string>>, headers: Json | undefined): Json {
  if (headers === undefined || headers === null) return { ...defaults };
  if (typeof headers !== 'object' || Array.isArray(headers)) return headers;
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !given.has(name))), ...headers };
}

async function send(
  { store, egress, secrets }: SendingTasksOptions,
  agent: Agent,
  { number, call, tokens }: Question,
  signal: AbortSignal,
): Promise<AnsweredCall> {
  const { projectID, traceContext, settings, executionKey } = agent;
  const own = { 'idempotency-key': `${executionKey}:${number}`, ...traceContext };
  const takeBack = () => stored(takeBackTokens(store, agent.conversation, number, tokens));
  const answered = await sendCall(
    { projectID, call, placeholders: settings.placeholders, own, timeouts: TIMEOUTS },
    { egress, secrets, signal },
  ).catch(async (error: unknown) => {
    if (signal.aborted) throw error;
    const code = error instanceof OutboundError ? error.code : undefined;
    if (code === undefined || !MAYBE_ANSWERED.has(code)) await takeBack();
    if (!(error instanceof OutboundError)) throw error;
    throw new TaskError(error.code, error.message, {
      retryable: code === 'HTTP_TIMEOUT' || code === 'HTTP_CONNECTION',
    });
  });
  const failure = failureOf(answered.answer, answered.host);
  if (!failure) return answered;
  await takeBack();
  throw failure;
}

/** Nothing of the answer is in a message or in the log. */
function readAnswer({ settings, tools }: Agent, turn: number, { answer, mask }: AnsweredCall): Answer {
  const read = readStorableJson(answer.body);
  const body = read.ok ? maskJson(read.value as Json, mask) : undefined;
  const { calls, ...rest }: ModelAnswer =
    body === undefined ? failedAnswer('AGENT_ANSWER_INVALID') : settings.provider.read(body);
  return { ...rest, calls: readCalls(turn, calls, tools).map((call) => maskedArguments(call, mask)) };
}

/** The arguments can be JSON within a text, where a secret could be written in another notation. */
function maskedArguments(call: ToolCall, mask: AnsweredCall['mask']): ToolCall {
  return call.arguments ? { ...call, arguments: maskJson(call.arguments, mask) as { [name: string]: Json } } : call;
}

function exhausted(maxTokens: number): TaskError {
  return new TaskError(
    'AGENT_TOKENS_EXHAUSTED',
    `The next request of the agent could exceed the ${maxTokens} tokens that its input maxTokens allows. Set the variable maxTokens of the sub-process and resolve the incident to let it continue.`,
  );
}
