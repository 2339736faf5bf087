import { findBacktest } from '../../../store/backtests/backtests.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toBacktest } from './shared/backtest.js';
import { backtest } from './shared/schemas.js';

export const getBpmnBacktest = defineOperation({
  operationID: 'GetBpmnBacktest',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/backtests/{backtestID}',
  role: 'viewer',
  summary: 'Get a backtest',
  description: 'The counts add up to `done` at every read.',
  request: { params: { backtestID: uuid } },
  responses: { 200: { description: 'Backtest', schema: backtest } },
  problems: [],
}).handle(async ({ params, context }) => {
  const found = await findBacktest(context.store, params.projectID, params.backtestID);
  return found === undefined
    ? notFound(`no backtest ${params.backtestID} in project ${params.projectID}`)
    : { status: 200, body: toBacktest(found) };
});
