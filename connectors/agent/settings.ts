/** Settings of an agent: from the inputs of the sub-process to a request without its conversation. */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import type { Mapping } from '@perdure/engine/model/graph.js';
import type { AdHocSubProcessNode, ListedElement } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import {
  agentInputs,
  agentProviders,
  countOf,
  MAX_AGENT_TOKENS,
  MAX_AGENT_TURNS,
  MAX_GROUP_LENGTH,
  MAX_MODEL_NAME_LENGTH,
  type AgentProvider,
} from '@perdure/lib/model-files/agents.js';
import { templateOf, type Placeholder } from '../inputs/placeholders.js';
import { TaskError } from '../results/task-error.js';
import { anthropic } from './providers/anthropic.js';
import { openai } from './providers/openai.js';
import { itemsOf, memberOf, type Message, type Provider } from './providers/provider.js';

/** The only input that can name secrets: everything else is sent to the model, or decides what is. */
const SENT = ['headers'];
const DEFAULT_MAX_TURNS = 10;

export interface AgentSettings {
  readonly provider: Provider;
  readonly url: Json | undefined;
  readonly headers: Json | undefined;
  readonly placeholders: readonly Placeholder[];
  readonly model: string;
  readonly systemPrompt: string | undefined;
  readonly goal: readonly Message[];
  readonly maxTurns: number;
  readonly maxTokens: number | undefined;
  readonly tools: readonly ListedElement[];
  /** Ids of the elements whose calls a person approves first. The engine asks for it. */
  readonly approve: readonly string[];
  /** The inputs that the sub-process has, by name. */
  readonly names: readonly string[];
}

/** @throws TaskError `AGENT_TASK_INVALID`, naming the input */
export function readSettings(node: AdHocSubProcessNode, variables: Variables): AgentSettings {
  const mappings = node.inputs ?? [];
  const names = agentInputs.filter((name) => mappings.some(({ target }) => target[0] === name));
  const { inputs, placeholders } = templateOf(SENT, mappings, variables, Date.now());
  // A variable of the process with the name of an input that the sub-process does not have means nothing.
  const given = (name: string) => (names.some((known) => known === name) ? memberOf(inputs as Json, name) : undefined);
  // A constant such as 42 is a number, but the model writes a text here.
  const written = (name: string) => asWritten(mappings, name, given(name));
  const elements = node.elements ?? [];
  if (names.includes('approvers')) checkApprovers(given('approvers'));
  return {
    provider: providerOf(given('provider') ?? 'openai'),
    url: given('url'),
    headers: given('headers'),
    placeholders,
    model: modelOf(written('model')),
    systemPrompt:
      (given('systemPrompt') ?? null) === null ? undefined : textOf('systemPrompt', written('systemPrompt')),
    goal: goalOf(written('goal')),
    maxTurns: count('maxTurns', given('maxTurns'), MAX_AGENT_TURNS) ?? DEFAULT_MAX_TURNS,
    maxTokens: count('maxTokens', given('maxTokens'), MAX_AGENT_TOKENS),
    tools: toolsOf(elements, given('tools')),
    approve: names.includes('approve') ? listed('approve', elements, given('approve')) : [],
    names,
  };
}

const providers: Readonly<Record<AgentProvider, Provider>> = { openai, anthropic };

function providerOf(name: Json): Provider {
  const known = agentProviders.find((provider) => provider === name);
  if (known === undefined) throw invalid(`provider must be one of ${agentProviders.join(', ')}`);
  return providers[known];
}

function asWritten(mappings: readonly Mapping[], name: string, value: Json | undefined): Json | undefined {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const isConstant = mappings.some(({ source, target }) => target.join('.') === name && 'literal' in source);
  return isScalar && isConstant ? String(value) : value;
}

function textOf(name: string, value: Json | undefined): string {
  if (typeof value !== 'string' || value === '') throw invalid(`${name} must be a text that is not empty`);
  return value;
}

/** Prices are found by it. */
function modelOf(value: Json | undefined): string {
  const model = textOf('model', value);
  if (model.length > MAX_MODEL_NAME_LENGTH)
    throw invalid(`model must have at most ${MAX_MODEL_NAME_LENGTH} characters`);
  return model;
}

function goalOf(value: Json | undefined): Message[] {
  if (typeof value === 'string' && value !== '') return [{ role: 'user', content: value }];
  const messages = itemsOf(value).map((item) => ({ role: memberOf(item, 'role'), content: memberOf(item, 'content') }));
  if (messages.length > 0 && messages.every(isMessage)) return messages;
  throw invalid(
    'goal must be a text, or a list of messages with a role (user or assistant) and a content that is a text',
  );
}

function isMessage(message: { role: Json | undefined; content: Json | undefined }): message is Message {
  const { role, content } = message;
  return (role === 'user' || role === 'assistant') && typeof content === 'string' && content !== '';
}

function count(name: string, value: Json | undefined, most: number): number | undefined {
  if (value === undefined || value === null) return undefined;
  const counted = countOf(value, most);
  if (counted === undefined) throw invalid(`${name} must be a whole number from 1 to ${most}`);
  return counted;
}

function toolsOf(elements: readonly ListedElement[], chosen: Json | undefined): readonly ListedElement[] {
  if (chosen === undefined || chosen === null) return elements;
  const ids = listed('tools', elements, chosen);
  return elements.filter(({ elementId }) => ids.includes(elementId));
}

function listed(name: string, elements: readonly ListedElement[], ids: Json | undefined): readonly string[] {
  if (!Array.isArray(ids)) throw invalid(`${name} must be a list of element ids`);
  const known = elements.map(({ elementId }) => elementId);
  if (ids.every((id) => typeof id === 'string' && known.includes(id))) return ids as string[];
  throw invalid(`${name} must name elements without an incoming sequence flow. These are ${known.join(', ')}`);
}

/** An approval with other groups would be in no list of a candidate. */
function checkApprovers(groups: Json | undefined): void {
  const isGroup = (group: Json) => typeof group === 'string' && group !== '' && group.length <= MAX_GROUP_LENGTH;
  if (Array.isArray(groups) && groups.length > 0 && groups.every(isGroup)) return;
  throw invalid(`approvers must be a list of groups, with names of 1 to ${MAX_GROUP_LENGTH} characters`);
}

export function invalid(reason: string): TaskError {
  return new TaskError('AGENT_TASK_INVALID', `The model cannot be asked: ${reason}.`);
}
