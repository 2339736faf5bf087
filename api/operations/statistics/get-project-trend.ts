import { z } from 'zod';
import { readProjectTrend, type ProcessTrend } from '../../../store/statistics/project-trend.js';
import { defineOperation } from '../../commands/define-operation.js';
import { problem } from '../../contract/problem.js';
import { givenTimestamp } from '../../contract/schemas.js';
import { optional, time } from '../../contract/wire.js';
import { refusedRange, requestedRange } from './shared/requested-range.js';
import { projectTrend } from './shared/schemas.js';
import { countsOf, percentilesOf } from './shared/sums.js';

const DEFAULT_DAYS = 1;
const MAX_DAYS = 7;

export const getBpmnStatisticsTrend = defineOperation({
  operationID: 'GetBpmnStatisticsTrend',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/statistics/trend',
  role: 'viewer',
  summary: 'Get the trend of a project',
  description:
    'Counts and durations of the instances of all processes by hour, from the full hour of `since` to the end of the hour of `until`, in UTC (default: the last day; at most 7 days), ' +
    'and the processes that started the most and took the longest. Counted as in the statistics of a process. Durations are those of the 100 processes that completed the most instances.',
  request: { query: z.strictObject({ since: givenTimestamp.optional(), until: givenTimestamp.optional() }) },
  responses: { 200: { description: 'Trend', schema: projectTrend } },
  problems: [],
}).handle(async ({ params: { projectID }, query, context }) => {
  const range = requestedRange(query, DEFAULT_DAYS);
  const refusal = refusedRange(range, MAX_DAYS);
  if (refusal !== undefined) return problem('BAD_REQUEST', refusal);
  const { asOf, series, busiest, slowest } = await readProjectTrend(context.store, projectID, range);
  return {
    status: 200,
    body: {
      since: time(new Date(range.since)),
      until: time(new Date(range.until)),
      asOf: time(asOf),
      series: series.map((sums) => ({ time: time(new Date(sums.time)), ...countsOf(sums), ...percentilesOf(sums) })),
      busiest: busiest.map(toProcess),
      slowest: slowest.map(toProcess),
    },
  };
});

function toProcess({ processID, processName, ...sums }: ProcessTrend) {
  return { processID, processName: optional(processName), ...countsOf(sums), ...percentilesOf(sums) };
}
