import type { z } from 'zod';
import type { ComparedInstance } from '../../../backtests/comparer.js';
import { findBacktestItem } from '../../../store/backtests/backtests.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { time } from '../../contract/wire.js';
import { toBacktestItem } from './shared/backtest.js';
import { compareRuns } from './shared/compare-runs.js';
import { backtestRuns } from './shared/schemas.js';

type Runs = z.output<typeof backtestRuns>;
type Run = NonNullable<Runs['before']>;
type Compared = Extract<ComparedInstance, { kind: 'compared' }>;
type ComparedRun = NonNullable<Compared['runs']>['before'];

export const getBpmnBacktestItem = defineOperation({
  operationID: 'GetBpmnBacktestItem',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/backtests/{backtestID}/items/{workflowID}',
  role: 'viewer',
  summary: 'Compare the runs of one instance of a backtest',
  description:
    'The visits of nodes in the recorded run, and in that of the version, which is played again. Names of the model and moments, no values. ' +
    'A skipped instance has no runs. At most four at once per caller, then 429.',
  request: { params: { backtestID: uuid } },
  responses: { 200: { description: 'Outcome and both runs', schema: backtestRuns } },
  problems: [],
  countsAs: 'comparison',
}).handle(async ({ params, context, turns }) => {
  const { projectID, backtestID, workflowID } = params;
  const found = await findBacktestItem(context.store, { projectID, backtestID, workflowID });
  if (found === undefined)
    return notFound(`backtest ${backtestID} has compared no instance ${workflowID} in project ${projectID}`);
  const item = toBacktestItem(found);
  if (item.outcome === 'SKIPPED') return { status: 200, body: { item } };
  const compared = await compareRuns(context.store, found, workflowID, 'runs', turns);
  if (compared.kind === 'ended') return notFound(`no backtest ${backtestID} in project ${projectID}`);
  if (compared.kind === 'skipped' && compared.defect !== undefined)
    context.logger.warn({ backtestID, workflowID, error: compared.defect }, 'an instance could not be compared');
  return { status: 200, body: { item, ...runsOf(compared) } };
});

/** An instance that was compared can have been redacted or removed since. */
function runsOf(compared: Exclude<ComparedInstance, { kind: 'ended' }>): Omit<Runs, 'item'> {
  if (compared.kind === 'skipped') return { problem: compared.reason };
  const { runs, item } = compared;
  return runs ? { before: toRun(runs.before), after: toRun(runs.after, false) } : { problem: item.reason };
}

/** @param isRecorded whether its facts are those of the instance */
function toRun({ visits, truncated }: ComparedRun, isRecorded = true): Run {
  return {
    visits: visits.map(({ at, flows, fact, ...visit }) => ({
      ...visit,
      at: time(new Date(at)),
      flows: [...flows],
      ...(isRecorded && { fact }),
    })),
    truncated,
  };
}
