import { z } from 'zod';
import { listAgentTurns, type ListedTurn } from '../../../store/work/agents/turns.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { modelIdentifier, pageOf, pageQuery, timestamp } from '../../contract/schemas.js';
import { scopeID } from '../instances/shared/active-scopes.js';
import { missingAdHocNode } from './shared/find-node.js';

const toolCall = z.strictObject({
  id: z.string(),
  elementId: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional().describe('Absent if the call could not run.'),
  problem: z.string().optional().describe('Sent to the model instead of a result.'),
  result: z.unknown().optional().describe('Present once it was sent to the model.'),
  approved: z
    .boolean()
    .optional()
    .describe('The decision of a person about a call in `approve`. Present once `result` is.'),
});

const agentTurn = z
  .strictObject({
    elementInstanceID: z.string().describe('The activation of the sub-process, which has one conversation.'),
    turn: z.int(),
    startedAt: timestamp,
    durationMs: z.int().optional().describe('Absent while there is no answer.'),
    inputTokens: z.int().optional(),
    outputTokens: z.int().optional(),
    text: z.string().optional(),
    failure: z.string().optional().describe('The error code of an answer that could not be acted on.'),
    toolCalls: z.array(toolCall),
    valuesOmitted: z
      .literal(true)
      .optional()
      .describe('`text` and `toolCalls` are omitted because the page would be too large. Request a smaller page.'),
  })
  .meta({ id: 'BpmnAgentTurn' });

export const listBpmnAgentTurns = defineOperation({
  operationID: 'ListBpmnAgentTurns',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/agents/{adHocNodeID}/turns',
  role: 'viewer',
  summary: 'List the turns of an agent',
  description:
    'By activation of the ad-hoc sub-process, then in the order of the conversation. A turn is one request to the model. ' +
    'Redacting any variable of the instance removes texts, arguments, and results.',
  request: { params: { adHocNodeID: modelIdentifier }, query: z.strictObject(pageQuery) },
  responses: {
    200: { description: 'Page of turns', schema: pageOf('BpmnAgentTurnPaginatedResponse', agentTurn) },
  },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { projectID, workflowID, adHocNodeID } = params;
  const missing = await missingAdHocNode(context, params);
  if (missing !== undefined) return missing;
  const turns = await listAgentTurns(context.store, projectID, workflowID, adHocNodeID, query);
  return { status: 200, body: pageResponse(query, turns, toTurn) };
});

function toTurn(turn: ListedTurn): z.output<typeof agentTurn> {
  const { element, startedAt, durationMs, inputTokens, outputTokens, text, failure, calls, isOmitted } = turn;
  return {
    elementInstanceID: scopeID(element),
    turn: turn.turn,
    startedAt: startedAt.toISOString(),
    ...(durationMs !== null && { durationMs }),
    ...(inputTokens !== null && { inputTokens }),
    ...(outputTokens !== null && { outputTokens }),
    ...(text !== null && { text }),
    ...(failure !== null && { failure }),
    toolCalls: calls.map(({ arguments: given, ...call }) => ({ ...call, ...(given && { arguments: { ...given } }) })),
    ...(isOmitted && { valuesOmitted: true as const }),
  };
}
