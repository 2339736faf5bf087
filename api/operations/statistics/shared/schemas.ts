import { z } from 'zod';
import { timestamp } from '../../../contract/schemas.js';

const milliseconds = z.int().describe('Within 5 %. Absent if nothing was measured.').optional();

const counts = {
  started: z.int(),
  completed: z.int(),
  canceled: z.int(),
  failed: z.int(),
  incidents: z.int(),
};

/** Durations of what completed. */
const percentiles = { p50Ms: milliseconds, p95Ms: milliseconds, p99Ms: milliseconds };

const spread = z.strictObject({ p50Ms: z.int(), p95Ms: z.int(), p99Ms: z.int() }).meta({ id: 'BpmnDurationSpread' });

const statisticsStep = z
  .strictObject({ time: timestamp, ...counts, ...percentiles })
  .meta({ id: 'BpmnStatisticsStep' });

const nodeStatistics = z
  .strictObject({
    nodeID: z.string(),
    nodeType: z.string().describe('As in the history of an instance.'),
    name: z.string().optional(),
    ...counts,
    ...percentiles,
    waiting: spread
      .optional()
      .describe(
        'Of completed jobs, until a job worker first leased them; of user tasks, until they were first assigned.',
      ),
    working: spread.optional().describe('From there until they were completed.'),
  })
  .meta({ id: 'BpmnNodeStatistics' });

const flowStatistics = z
  .strictObject({ flowID: z.string(), taken: z.int().describe('How often tokens took the sequence flow.') })
  .meta({ id: 'BpmnFlowStatistics' });

const targetStatistics = z
  .strictObject({
    nodeID: z.string().optional().describe('Absent for the instance as a whole.'),
    duration: z.string(),
    met: z.int().describe('Completed in time.'),
    missed: z.int(),
  })
  .meta({ id: 'BpmnTargetStatistics' });

export const processStatistics = z
  .strictObject({
    processID: z.string(),
    version: z.int().optional(),
    since: timestamp,
    until: timestamp,
    step: z.enum(['hour', 'day']),
    asOf: timestamp.describe('Everything that was committed before this time is counted.'),
    series: z.array(statisticsStep).describe('Of instances: one for each step of the range.'),
    nodes: z.array(nodeStatistics),
    flows: z.array(flowStatistics),
    targets: z.array(targetStatistics),
  })
  .meta({ id: 'BpmnProcessStatistics' });

const processTrend = z
  .strictObject({ processID: z.string(), processName: z.string().optional(), ...counts, ...percentiles })
  .meta({ id: 'BpmnProcessTrend' });

export const projectTrend = z
  .strictObject({
    since: timestamp,
    until: timestamp,
    asOf: timestamp.describe('Everything that was committed before this time is counted.'),
    series: z.array(statisticsStep).describe('One for each hour of the range.'),
    busiest: z.array(processTrend).describe('At most 5, most started first.'),
    slowest: z.array(processTrend).describe('At most 5, highest p95 first.'),
  })
  .meta({ id: 'BpmnStatisticsTrend' });

const slowNode = z
  .strictObject({ processID: z.string(), nodeID: z.string(), completed: z.int(), p95Ms: z.int() })
  .meta({ id: 'BpmnSlowNode' });

export const projectStatistics = z
  .strictObject({
    asOf: timestamp.describe('Everything that was committed before this time is counted in `last24Hours`.'),
    instances: z.strictObject({
      running: z.int(),
      paused: z.int(),
      withIncident: z.int(),
      overTarget: z.int(),
    }),
    openIncidents: z.int(),
    userTasks: z.strictObject({ open: z.int(), unassigned: z.int(), overdue: z.int() }),
    jobs: z.strictObject({ pending: z.int(), oldestAvailableAt: timestamp.optional() }),
    keptMessages: z.int(),
    last24Hours: z.strictObject(counts).describe('The current hour and the 23 hours before it, in UTC.'),
    runningByAge: z.array(z.strictObject({ olderThan: z.string(), count: z.int() })),
    slowestNodes: z
      .array(slowNode)
      .describe('At most 10, of the same hours, among the 500 nodes that completed the most activations.'),
  })
  .meta({ id: 'BpmnStatistics' });
