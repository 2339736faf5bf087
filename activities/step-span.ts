import type { StepCommit, CommitResult } from '@perdure/engine/contract/step-commit.js';
import type { SpanDescription } from '../telemetry/tracer.js';

/** The span of one step. Spans are created on commit, because no workflow code may depend on them. */
export function stepSpan({
  workflowID,
  number,
  facts,
  traceContext,
}: StepCommit): SpanDescription<{ answer: CommitResult }> {
  const incident = facts.find((fact) => fact.kind === 'INCIDENT_RAISED');
  return {
    name: 'step',
    kind: 'internal',
    parent: traceContext,
    attributes: {
      'perdure.workflowID': workflowID,
      'perdure.step': number,
      'perdure.facts': facts.length,
      ...(incident && { 'perdure.incident': incident.errorType, 'perdure.nodeID': incident.node }),
    },
    conclude: ({ answer }) => ({ attributes: { 'perdure.commit_result': answer.kind } }),
  };
}
