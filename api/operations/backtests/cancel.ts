import { cancelBacktest } from '../../../store/backtests/cancel.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { uuid } from '../../contract/schemas.js';
import { cancelBacktestRequest } from './shared/schemas.js';

export const cancelBpmnBacktest = defineOperation({
  operationID: 'CancelBpmnBacktest',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/backtests/{backtestID}/cancel',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Cancel a backtest',
  description:
    'No further instance gets an outcome after the response; outcomes that were written stay. Canceling a canceled backtest changes nothing. 409: it has completed.',
  request: { params: { backtestID: uuid }, body: cancelBacktestRequest.default({}) },
  responses: { 204: { description: 'Backtest canceled' } },
  problems: ['CONFLICT'],
}).handle(async ({ params, context }) => {
  const outcome = await cancelBacktest(context.store, params);
  return outcome.kind === 'refused' ? refusalProblem(outcome) : { status: 204 };
});
