/** A leased job of an agent, read. */
import type { Json } from '@perdure/engine/contract/json.js';
import type { ListedElement } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import { TOOL_CALL_RESULTS } from '@perdure/lib/model-files/agents.js';
import type { TraceContext } from '@perdure/engine/contract/trace-context.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import type { Conversation, JobLease, ToolCall } from '../../store/work/agents/turns.js';
import { header } from '../results/expressions.js';
import type { LeasedTask } from '../work.js';
import type { Situation } from './next-step.js';
import { itemsOf, memberOf } from './providers/provider.js';
import { invalid, readSettings, type AgentSettings } from './settings.js';

export interface Agent {
  readonly projectID: string;
  readonly nodeID: string;
  readonly executionKey: string;
  readonly conversation: Conversation;
  readonly lease: JobLease;
  readonly settings: AgentSettings;
  readonly tools: readonly ListedElement[];
  readonly situation: Situation;
  readonly resultVariable: string | undefined;
  readonly traceContext: TraceContext | undefined;
}

/** @throws TaskError `AGENT_TASK_INVALID` */
export function readAgent({ projectID, clientID, job, node, traceContext }: LeasedTask): Agent {
  if (node?.kind !== 'adHocSubProcess' || !node.agent)
    throw invalid(
      `${job.nodeID} has this job type only at run time. Write it as the literal type of an ad-hoc sub-process`,
    );
  const { workflowID, number } = parseExecutionKey(job.executionKey)!;
  const conversation = memberOf(job.variables, 'agentConversation');
  const element = memberOf(conversation, 'id');
  if (typeof element !== 'number') throw invalid('the job names no conversation');
  const settings = readSettings(node, job.variables);
  return {
    projectID,
    nodeID: job.nodeID,
    executionKey: job.executionKey,
    conversation: { workflowID, element },
    lease: { number, clientID, leaseToken: job.leaseToken },
    settings,
    tools: settings.tools,
    situation: {
      job: number,
      openCalls: new Set(itemsOf(memberOf(conversation, 'openCalls')).filter((id) => typeof id === 'string')),
      results: resultsIn(memberOf(job.variables, TOOL_CALL_RESULTS)),
      elements: new Set((node.elements ?? []).map(({ elementId }) => elementId)),
    },
    resultVariable: header(job.headers, 'resultVariable'),
    traceContext,
  };
}

/** The first result of a call counts. */
function resultsIn(collected: Json | undefined): Situation['results'] {
  const results = new Map<string, Pick<ToolCall, 'result' | 'approved'>>();
  for (const item of itemsOf(collected)) {
    const id = memberOf(item, 'id');
    if (typeof id !== 'string' || results.has(id)) continue;
    const approved = memberOf(item, 'approved');
    results.set(id, {
      result: memberOf(item, 'result') ?? null,
      ...(typeof approved === 'boolean' && { approved }),
    });
  }
  return results;
}
