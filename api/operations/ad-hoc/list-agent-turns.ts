import { z } from 'zod';
import { findProjectSettings } from '../../../store/projects/project-settings.js';
import { listAgentTurns, sumTokens, type ListedTurn } from '../../../store/work/agents/turns.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { modelIdentifier, pageOf, pageQuery, timestamp } from '../../contract/schemas.js';
import { scopeID } from '../instances/shared/active-scopes.js';
import { costsOf, pricesByModel, type Prices } from './shared/costs.js';
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

const cost = z
  .strictObject({
    amount: z.string().describe('A decimal number, exact, such as `0.00065`.'),
    currency: z.string().describe('A code of ISO 4217.'),
  })
  .meta({ id: 'BpmnAgentCost' });

const totals = z
  .strictObject({
    inputTokens: z.int(),
    outputTokens: z.int(),
    costs: z.array(cost).describe('One for each currency.'),
    turnsWithoutCost: z
      .int()
      .describe('Answered turns that are not in `costs`: their model has no price, or has not reported its tokens.'),
  })
  .meta({ id: 'BpmnAgentTotals' });

const agentTurn = z
  .strictObject({
    elementInstanceID: z.string().describe('The activation of the sub-process, which has one conversation.'),
    turn: z.int(),
    startedAt: timestamp,
    durationMs: z.int().optional().describe('Absent while there is no answer.'),
    model: z.string().describe('The one that was asked last.'),
    inputTokens: z.int().optional(),
    outputTokens: z.int().optional(),
    cost: cost
      .optional()
      .describe(
        'By the current `agentPrices` of the project. Absent without a price of the model or without reported tokens.',
      ),
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
    200: {
      description: 'Page of turns, and the totals of all turns of the node',
      schema: pageOf('BpmnAgentTurnPaginatedResponse', agentTurn)
        .extend({ totals })
        .meta({ id: 'BpmnAgentTurnPaginatedResponse' }),
    },
  },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { projectID, workflowID, adHocNodeID } = params;
  const missing = await missingAdHocNode(context, params);
  if (missing !== undefined) return missing;
  const turns = await listAgentTurns(context.store, projectID, workflowID, adHocNodeID, query);
  const settings = await findProjectSettings(context.store, projectID);
  const prices = pricesByModel(settings?.agentPrices ?? []);
  const sums = await sumTokens(context.store, projectID, workflowID, adHocNodeID, [...prices.keys()]);
  const total = (of: 'inputTokens' | 'outputTokens' | 'turnsWithoutCost') =>
    sums.reduce((sum, part) => sum + part[of], 0);
  return {
    status: 200,
    body: {
      ...pageResponse(query, turns, (turn) => toTurn(turn, prices)),
      totals: {
        inputTokens: total('inputTokens'),
        outputTokens: total('outputTokens'),
        costs: costsOf(sums, prices),
        turnsWithoutCost: total('turnsWithoutCost'),
      },
    },
  };
});

function toTurn(turn: ListedTurn, prices: Prices): z.output<typeof agentTurn> {
  const [turnCost] = costsOf([turn], prices);
  const { element, startedAt, durationMs, inputTokens, outputTokens, text, failure, calls, isOmitted } = turn;
  return {
    elementInstanceID: scopeID(element),
    turn: turn.turn,
    startedAt: startedAt.toISOString(),
    ...(durationMs !== null && { durationMs }),
    model: turn.model,
    ...(inputTokens !== null && { inputTokens }),
    ...(outputTokens !== null && { outputTokens }),
    ...(turnCost && { cost: turnCost }),
    ...(text !== null && { text }),
    ...(failure !== null && { failure }),
    toolCalls: calls.map(({ arguments: given, ...call }) => ({ ...call, ...(given && { arguments: { ...given } }) })),
    ...(isOmitted && { valuesOmitted: true as const }),
  };
}
