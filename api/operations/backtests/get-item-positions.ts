import { findBacktestItem } from '../../../store/backtests/backtests.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { compareRuns } from './shared/compare-runs.js';
import { backtestPositions } from './shared/schemas.js';

export const getBpmnBacktestItemPositions = defineOperation({
  operationID: 'GetBpmnBacktestItemPositions',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/backtests/{backtestID}/items/{workflowID}/positions',
  role: 'editor',
  summary: 'Get the run of the version for the interpreter',
  description:
    'For programs that continue the run of the version in memory, such as the console. The states around the first difference: up to 50 positions before and after it, and up to 8 million characters. ' +
    'CONFLICT: the instance was skipped, or was redacted or removed since. At most four at once per caller, then 429.',
  request: { params: { backtestID: uuid } },
  responses: { 200: { description: 'States and graph', schema: backtestPositions } },
  problems: ['CONFLICT'],
  countsAs: 'comparison',
}).handle(async ({ params, context, turns }) => {
  const { projectID, backtestID, workflowID } = params;
  const found = await findBacktestItem(context.store, { projectID, backtestID, workflowID });
  if (found === undefined)
    return notFound(`backtest ${backtestID} has compared no instance ${workflowID} in project ${projectID}`);
  const compared = await compareRuns(context.store, found, workflowID, 'positions', turns);
  if (compared.kind === 'ended') return notFound(`no backtest ${backtestID} in project ${projectID}`);
  if (compared.kind === 'skipped') return problem('CONFLICT', compared.reason);
  const { played, item } = compared;
  if (played === undefined) return problem('CONFLICT', item.reason ?? 'The version has no run of the instance');
  const positions = played.positions.map(({ state, ...position }) => ({ ...position, state: { ...state } }));
  return { status: 200, body: { at: played.at, positions, graph: { ...played.graph } } };
});
