/**
 * Requests of agents to their models. A recorded answer is an answer to its request only, so it counts for a version that
 * asks the same: provider, model, prompt, goal, tools, and what tools have returned.
 */
import { isJobOfAgent, resultsOfCalls } from '@perdure/engine/behaviors/flow/agents.js';
import type { FactOf } from '@perdure/engine/contract/facts.js';
import { equalJson, type Json, type Variables } from '@perdure/engine/contract/json.js';
import type { Model } from '@perdure/engine/model/model.js';

const INPUTS = ['provider', 'model', 'systemPrompt', 'goal'] as const;

/** Of a request, as the model of the process names it. */
export type RequestPart = (typeof INPUTS)[number] | 'tools' | 'results of tools';

/** The next request, as the job of an agent describes it. */
export interface AgentRequest {
  /** In the conversation, from 1. */
  readonly turn: number;
  /** Variables of the sub-process. */
  readonly given: Variables;
}

/** The first request of a run that had another one then. */
export interface OtherRequest {
  readonly turn: number;
  readonly part: RequestPart;
}

/** @returns undefined for the job of anything but an agent */
export function requestOf(fact: FactOf<'JOB_CREATED'>): AgentRequest | undefined {
  if (!isJobOfAgent(fact)) return undefined;
  const { localVariables: given = {} } = fact;
  const ended = resultsOfCalls(given).map((result) => memberOf(result, 'id'));
  const running = listOf(memberOf(given['agentConversation'], 'openCalls'));
  return { turn: Math.max(0, ...[...ended, ...running].map(turnOf)) + 1, given };
}

/** A request at a node of a model. */
interface Asked {
  readonly model: Model;
  readonly node: string;
  readonly request: AgentRequest;
}

/** The first part of a request that differs; undefined if both ask the same. */
export function partThatDiffers(one: Asked, other: Asked): RequestPart | undefined {
  const [before, after] = [one.request.given, other.request.given];
  const input = INPUTS.find((name) => !equalJson(before[name] ?? null, after[name] ?? null));
  if (input) return input;
  if (!equalJson(toolsOf(one), toolsOf(other))) return 'tools';
  return equalJson(resultsOf(before), resultsOf(after)) ? undefined : 'results of tools';
}

/** The description of each tool that the input `tools` allows. Properties are not sent. */
function toolsOf({ model, node, request }: Asked): Json {
  const found = model.find(node);
  const elements = (found?.kind === 'adHocSubProcess' && found.elements) || [];
  const allowed = request.given['tools'];
  const tools = elements.filter(({ elementId }) => !Array.isArray(allowed) || allowed.includes(elementId));
  return tools.map(({ elementId, elementName = null, documentation = null, parameters = [] }) => ({
    elementId,
    elementName,
    documentation,
    parameters: parameters as unknown as Json,
  }));
}

/** Sorted, because a request does not have the order in which calls ended. */
function resultsOf(given: Variables): Json {
  const results = resultsOfCalls(given).map((result) => [String(memberOf(result, 'id')), result] as const);
  return results.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, result]) => result);
}

/** Calls have ids such as `call_2_1`: the first call of the second turn. */
function turnOf(id: Json | undefined): number {
  const [, turn] = (typeof id === 'string' && /^call_(\d{1,9})_/.exec(id)) || [];
  return turn === undefined ? 0 : Number(turn);
}

function listOf(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : [];
}

function memberOf(json: Json | undefined, name: string): Json | undefined {
  return json !== null && typeof json === 'object' && !Array.isArray(json) ? json[name] : undefined;
}
