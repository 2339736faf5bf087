import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../../command.js';
import { counted, show, table } from '../../terminal.js';
import { wholeNumber } from '../../values.js';

type Turn = Schemas['BpmnAgentTurn'];

export const listTurns: Command = {
  name: 'jobs turns',
  role: 'viewer',
  operands: 'WORKFLOW_ID NODE',
  summary: 'Show the turns of an agent',
  details:
    'NODE is the ad-hoc sub-process. Each turn is one request to the model, with the tools that it called. Costs follow the prices in the settings of the project.',
  examples: ['perdure jobs turns 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11 agent'],
  minOperands: 2,
  maxOperands: 2,
  options: {
    page: { type: 'string', value: 'NUMBER', help: 'page number, from 1' },
    'page-size': { type: 'string', value: 'NUMBER', help: 'turns per page, 1 to 100 (default 20)' },
  },
  async run(invocation) {
    const { terminal, operands } = invocation;
    const query = {
      page: wholeNumber(invocation, 'page', 1, 999_999_999),
      pageSize: wholeNumber(invocation, 'page-size', 1, 100),
    };
    const { client, projectID } = await invocation.host();
    const path = { projectID, workflowID: operands[0]!, adHocNodeID: operands[1]! };
    const answer = await unwrap<Schemas['BpmnAgentTurnPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/agents/{adHocNodeID}/turns', {
        params: { path, query },
      }),
    );
    const { page, totalPages, total } = answer.pagination;
    show(terminal, answer, () => [
      ...table(
        ['ACTIVATION', 'TURN', 'STARTED', 'TOKENS', 'COST', 'CALLED', 'ANSWERED'],
        answer.data.map((turn) => [
          turn.elementInstanceID,
          String(turn.turn),
          turn.startedAt,
          tokensOf(turn),
          turn.cost ? costOf(turn.cost) : '',
          turn.toolCalls
            .map(({ elementId, problem }) => (problem === undefined ? elementId : `(${elementId})`))
            .join(', '),
          turn.failure ?? firstLine(turn.text ?? ''),
        ]),
      ),
      ...totalsOf(answer.totals),
      `${counted(total, 'turn')}, page ${page} of ${Math.max(totalPages, 1)}`,
    ]);
    return exitCodes.done;
  },
};

function tokensOf({ inputTokens, outputTokens }: Pick<Turn, 'inputTokens' | 'outputTokens'>): string {
  return inputTokens === undefined || outputTokens === undefined ? '' : `${inputTokens} in, ${outputTokens} out`;
}

function costOf({ amount, currency }: Schemas['BpmnAgentCost']): string {
  return `${amount} ${currency}`;
}

function totalsOf({ inputTokens, outputTokens, costs, turnsWithoutCost }: Schemas['BpmnAgentTotals']): string[] {
  const unpriced = turnsWithoutCost === 0 ? [] : [`${counted(turnsWithoutCost, 'turn')} without a cost`];
  const parts = [tokensOf({ inputTokens, outputTokens }), ...costs.map(costOf), ...unpriced];
  return [`all turns: ${parts.join(', ')}`];
}

const MAX_SHOWN = 60;

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > MAX_SHOWN || line.length < text.length ? `${line.slice(0, MAX_SHOWN)}...` : line;
}
