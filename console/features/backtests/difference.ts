/** The first difference of an instance in a backtest: both runs, and the states of that of the version. */
import { api, unwrap, type Schemas } from '../../frame/api/client.js';
import { openingStep, stepsOf, type Step } from './run-steps.js';

export interface Difference {
  item: Schemas['BpmnBacktestItem'];
  recorded: Schemas['BpmnBacktestRun'];
  /** How much of the recorded run has begun, by position of the play. */
  begun: readonly number[];
  /** The position at which the play opens. */
  at: number;
}

export interface Compared {
  backtest: Schemas['BpmnBacktest'];
  runs: Schemas['BpmnBacktestRuns'];
  played: Schemas['BpmnBacktestPositions'];
}

export async function readCompared(
  projectID: string,
  { backtestID, workflowID }: { backtestID: string; workflowID: string },
  signal: AbortSignal,
): Promise<Compared> {
  const params = { path: { projectID, backtestID, workflowID } };
  const [backtest, runs, played] = await Promise.all([
    unwrap(api.GET('/projects/{projectID}/bpmn/backtests/{backtestID}', { params, signal })),
    unwrap(api.GET('/projects/{projectID}/bpmn/backtests/{backtestID}/items/{workflowID}', { params, signal })),
    unwrap(
      api.GET('/projects/{projectID}/bpmn/backtests/{backtestID}/items/{workflowID}/positions', { params, signal }),
    ),
  ]);
  return { backtest, runs, played };
}

/** Undefined if the recorded run cannot be shown anymore. */
export function differenceOf({ runs: { item, before, after }, played }: Compared): Difference | undefined {
  if (before === undefined || after === undefined) return undefined;
  const steps = stepsOf(before.visits, after.visits);
  const opening = openingStep(steps, item.first, { before: before.visits, after: after.visits });
  const begun = played.positions.map(({ visits }, position) =>
    position === played.at ? steps[opening]!.before : recordedAt(steps, visits, after.visits.length),
  );
  return { item, recorded: before, begun, at: played.at };
}

/** How much of the recorded run has begun when `visits` of all those of the version have. Both runs end together. */
function recordedAt(steps: readonly Step[], visits: number, all: number): number {
  const step = visits < all ? steps.find(({ after }) => after >= visits) : undefined;
  return (step ?? steps.at(-1)!).before;
}
