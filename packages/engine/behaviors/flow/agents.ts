/**
 * Agents: ad-hoc sub-processes whose job the role `connectors` performs by asking a model. The connector keeps the
 * conversation. The job says which one it is, which calls of tools are running, and what the others have returned.
 */
import { AGENT_TASK_TYPE, APPROVAL_SUFFIX, TOOL_CALL_RESULTS } from '@perdure/lib/model-files/agents.js';
import type { FactOf } from '../../contract/facts.js';
import type { Json, Variables } from '../../contract/json.js';
import { childrenOf, nodeOf, record, scopeOf, type Run } from '../../run.js';
import type { ElementInstance } from '../../state/state.js';
import { setLocal } from '../data/variables.js';
import { complete } from '../lifecycle/activation.js';
import { roomAt } from '../lifecycle/capacity.js';
import { fail } from '../lifecycle/failures.js';
import type { JobDefinition } from '../waiting/jobs.js';

/** Variables of an activation: the arguments with the id of the call, and what the tool returns. */
const TOOL_CALL = 'toolCall';
const TOOL_CALL_RESULT = 'toolCallResult';

export function isAgent({ type }: JobDefinition): boolean {
  return 'literal' in type && type.literal === AGENT_TASK_TYPE;
}

/** Whether the job asks for the next step of an agent. */
export function isJobOfAgent({ taskType, listener }: FactOf<'JOB_CREATED'>): boolean {
  return taskType === AGENT_TASK_TYPE && listener === undefined;
}

/** The collected results of calls among the variables of the job of an agent. */
export function resultsOfCalls(given: Variables): readonly Json[] {
  const collected = given[TOOL_CALL_RESULTS];
  return Array.isArray(collected) ? collected : [];
}

/** Only in the job, so that no variable of the process can replace it. */
export function conversationOf(run: Run, element: ElementInstance): Variables {
  const flows = childrenOf(run, element.id).filter((child) => nodeOf(run, child).kind === 'adHocFlow');
  return { agentConversation: { id: element.id, openCalls: flows.flatMap((flow) => callOf(flow) ?? []) } };
}

/** The result of the call of an activation; undefined if a person has started the activation. */
export function resultOfCall(flow: ElementInstance): Json | undefined {
  const id = callOf(flow);
  if (id === undefined) return undefined;
  const approved = flow.data?.['approved'];
  return { id, result: flow.variables?.[TOOL_CALL_RESULT] ?? null, ...(approved !== undefined && { approved }) };
}

/**
 * The first element of an activation that the connector has asked for: a user task if the input `approve` lists the
 * tool. With an input that is not a list, every call has one.
 */
export function firstOfCall(run: Run, agent: ElementInstance, tool: string): string {
  const approval = tool + APPROVAL_SUFFIX;
  if (!run.model.find(approval)) return tool;
  const listed = agent.variables?.['approve'];
  return Array.isArray(listed) && !listed.includes(tool) ? tool : approval;
}

/** The sub-process of an approval. Its inputs are hidden from its activations. */
export function agentOfApproval(run: Run, approval: ElementInstance): ElementInstance {
  return scopeOf(run, scopeOf(run, approval)!)!;
}

/**
 * A person has decided about a call. Only `approved: true` lets the tool run, by a continuation of the activation. In any
 * other case the model gets the reason instead of a result.
 */
export function decideCall(run: Run, approval: ElementInstance, tool: string, decision: Variables = {}): void {
  const flow = scopeOf(run, approval)!;
  const approved = decision['approved'] === true;
  if (!approved) {
    const told = { [TOOL_CALL_RESULT]: refusal(decision['reason']) };
    const room = roomAt(run, flow, told);
    if (!room.ok) return fail(run, approval, room.failure);
    setLocal(run, flow, told);
  }
  const next = approved && { wanted: [approval.node, tool], begun: 1 };
  record(run, { kind: 'ELEMENT_DATA_SET', element: flow.id, data: { approved, ...next } });
  complete(run, approval);
}

function refusal(reason: Json | undefined): string {
  const given = typeof reason === 'string' ? reason.trim() : '';
  return given === '' ? 'A person has refused this call.' : `A person has refused this call: ${given}`;
}

function callOf({ variables }: ElementInstance): string | undefined {
  const id = memberOf(memberOf(variables?.[TOOL_CALL], '_meta'), 'id');
  return typeof id === 'string' ? id : undefined;
}

function memberOf(json: Json | undefined, name: string): Json | undefined {
  return json !== null && typeof json === 'object' && !Array.isArray(json) ? json[name] : undefined;
}
