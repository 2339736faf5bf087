import type { Park, ParkAnswer } from '../engine/park.js';
import type { SpanDescription } from '../tracing/tracer.js';

/** The span of one step. Spans are created on commit, because no workflow code may depend on them. */
export function stepSpan({ workflowID, number, facts, traceContext }: Park): SpanDescription<{ answer: ParkAnswer }> {
  const incident = facts.find((fact) => fact.kind === 'INCIDENT_RAISED');
  return {
    name: 'step',
    kind: 'internal',
    parent: traceContext,
    attributes: {
      'perdure.workflowID': workflowID,
      'perdure.park': number,
      'perdure.facts': facts.length,
      ...(incident && { 'perdure.incident': incident.errorType, 'perdure.nodeID': incident.node }),
    },
    conclude: ({ answer }) => ({ attributes: { 'perdure.answer': answer.kind } }),
  };
}
