/**
 * The job type of ad-hoc sub-processes that the role `connectors` drives with a model, and its inputs. The compiler checks
 * what a model file writes, and the connectors what an expression returns.
 */
export const AGENT_TASK_TYPE = 'perdure:agent';

export const agentProviders = ['openai', 'anthropic'] as const;
export type AgentProvider = (typeof agentProviders)[number];

export const requiredAgentInputs = ['url', 'model', 'goal'] as const;

/** Variables of the sub-process that decide what an agent does. Its tools cannot change them. */
export const agentInputs = [
  ...requiredAgentInputs,
  'provider',
  'headers',
  'systemPrompt',
  'maxTurns',
  'maxTokens',
  'tools',
  'approve',
  'approvers',
] as const;

/** Follows the id of a tool: the user task that decides about its calls. No id of an element has this sign. */
export const APPROVAL_SUFFIX = '#approval';

/** Local to the sub-process: the results of calls that have ended since the connector last decided. */
export const TOOL_CALL_RESULTS = 'toolCallResults';

export const agentHeaders = ['resultVariable', 'retryBackoff'] as const;

export const MAX_AGENT_TURNS = 1_000;
export const MAX_AGENT_TOKENS = 1_000_000_000;
export const MAX_MODEL_NAME_LENGTH = 255;

/** Of a name of a candidate group. The engine has this limit for all texts of user tasks. */
export const MAX_GROUP_LENGTH = 255;

/** Names of tools that both providers accept. */
export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** A whole number from 1 to `most`, or text that is one; otherwise undefined. */
export function countOf(value: unknown, most: number): number | undefined {
  const count = typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= most ? count : undefined;
}
