import { z } from 'zod';
import { formatDuration } from '@perdure/lib/duration.js';
import { readProcessStatistics } from '../../../store/statistics/process-statistics.js';
import { WHOLE_INSTANCE } from '../../../store/statistics/rows.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound, problem } from '../../contract/problem.js';
import { givenTimestamp, modelIdentifier, queryInteger } from '../../contract/schemas.js';
import { time } from '../../contract/wire.js';
import { nodeNames } from './shared/node-names.js';
import { refusedRange, requestedRange } from './shared/requested-range.js';
import { processStatistics } from './shared/schemas.js';
import { countsOf, percentilesOf, spreadOf } from './shared/sums.js';

const DEFAULT_DAYS = 30;
const MAX_DAYS = { hour: 31, day: 400 } as const;

export const getBpmnProcessStatistics = defineOperation({
  operationID: 'GetBpmnProcessStatistics',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/processes/{processID}/statistics',
  role: 'viewer',
  summary: 'Get statistics of a process',
  description:
    'Counts and durations by step, by node, and by target, from the full hour of `since` to the end of the hour of `until`, in UTC (default: the last 30 days). ' +
    'The range has at most 400 days, with `step=hour` at most 31. Everything is counted by the hour in which it happened; percentiles are of what completed. ' +
    'An instance counts for the version that it runs last, an activation for the version that runs at the time. Pauses count as time. ' +
    'Statistics stay when instances are removed. Tests of drafts are not counted.',
  request: {
    params: { processID: modelIdentifier },
    query: z.strictObject({
      version: queryInteger({ minimum: 1, maximum: 2_147_483_647 }).optional(),
      since: givenTimestamp.optional(),
      until: givenTimestamp.optional(),
      step: z.enum(['hour', 'day']).default('day'),
    }),
  },
  responses: { 200: { description: 'Statistics', schema: processStatistics } },
  problems: [],
}).handle(async ({ params: { projectID, processID }, query: { version, since, until, step }, context }) => {
  const range = requestedRange({ since, until }, DEFAULT_DAYS);
  const refusal = refusedRange(range, MAX_DAYS[step]);
  if (refusal !== undefined) return problem('BAD_REQUEST', refusal);
  const found = await readProcessStatistics(context.store, { projectID, processID, version, range, step });
  if (!found) return notFound(`no process ${processID} in project ${projectID}`);
  const versions = found.nodes.map((node) => node.version);
  const nameOf = await nodeNames(context.store, { projectID, processID }, versions);
  return {
    status: 200,
    body: {
      processID,
      version,
      since: time(new Date(range.since)),
      until: time(new Date(range.until)),
      step,
      asOf: time(found.asOf),
      series: found.series.map((sums) => ({
        time: time(new Date(sums.time)),
        ...countsOf(sums),
        ...percentilesOf(sums),
      })),
      nodes: found.nodes.map((node) => ({
        nodeID: node.nodeID,
        ...nameOf(node),
        ...countsOf(node),
        ...percentilesOf(node),
        waiting: spreadOf(node.waiting),
        working: spreadOf(node.working),
      })),
      flows: found.flows,
      targets: found.targets.map(({ nodeID, durationMs, met, missed }) => ({
        nodeID: nodeID === WHOLE_INSTANCE ? undefined : nodeID,
        duration: formatDuration(durationMs),
        met,
        missed,
      })),
    },
  };
});
