/**
 * Agents: ad-hoc sub-processes whose job the role `connectors` performs by asking a model. The connector keeps the
 * conversation. The job says which one it is, which calls of tools are running, and what the others have returned.
 */
import { AGENT_TASK_TYPE } from '@perdure/lib/model-files/agents.js';
import type { Json, Variables } from '../../contract/json.js';
import { childrenOf, nodeOf, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import type { JobDefinition } from '../waiting/jobs.js';

/** Variables of an activation: the arguments with the id of the call, and what the tool returns. */
const TOOL_CALL = 'toolCall';
const TOOL_CALL_RESULT = 'toolCallResult';

export function isAgent({ type }: JobDefinition): boolean {
  return 'literal' in type && type.literal === AGENT_TASK_TYPE;
}

/** Only in the job, so that no variable of the process can replace it. */
export function conversationOf(run: Run, element: ElementInstance): Variables {
  const flows = childrenOf(run, element.id).filter((child) => nodeOf(run, child).kind === 'adHocFlow');
  return { agentConversation: { id: element.id, openCalls: flows.flatMap((flow) => callOf(flow) ?? []) } };
}

/** The result of the call of an activation; undefined if a person has started the activation. */
export function resultOfCall(flow: ElementInstance): Json | undefined {
  const id = callOf(flow);
  return id === undefined ? undefined : { id, result: flow.variables?.[TOOL_CALL_RESULT] ?? null };
}

function callOf({ variables }: ElementInstance): string | undefined {
  const id = memberOf(memberOf(variables?.[TOOL_CALL], '_meta'), 'id');
  return typeof id === 'string' ? id : undefined;
}

function memberOf(json: Json | undefined, name: string): Json | undefined {
  return json !== null && typeof json === 'object' && !Array.isArray(json) ? json[name] : undefined;
}
