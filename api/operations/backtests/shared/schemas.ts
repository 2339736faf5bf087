import { z } from 'zod';
import { backtestOutcomes, backtestStatuses } from '../../../../store/backtests/backtests.js';
import { instanceFilters } from '../../../../store/instances/filters.js';
import { jsonFilters } from '../../../commands/list-filters.js';
import { modelIdentifier, pageOf, reason, timestamp, uuid } from '../../../contract/schemas.js';

export const MAX_INSTANCES = 100_000;

/** Instances of the process that have no caller: those alone can be compared. */
const { processId: _ofTheVersion, root: _always, ...filters } = instanceFilters;

const members = {
  filter: jsonFilters(filters).meta({ id: 'BacktestInstanceFilter' }).optional(),
  /** The maximum number of instances. */
  newest: z.int().min(1).max(MAX_INSTANCES).default(1000),
  reason,
};

export const createBacktestRequest = z.strictObject(members).meta({ id: 'CreateBpmnBacktestRequest' });

export const createDraftBacktestRequest = z
  .strictObject({ ...members, processID: modelIdentifier.optional() })
  .meta({ id: 'CreateBpmnDraftBacktestRequest' });

export const acceptedBacktest = z
  .strictObject({ backtestID: uuid, total: z.int() })
  .meta({ id: 'AcceptedBpmnBacktest' });

const percentiles = z.strictObject({ p50: z.number(), p95: z.number() }).meta({ id: 'BacktestPercentiles' });

const group = z
  .strictObject({
    outcome: z.enum(backtestOutcomes),
    /** Where the first difference is. */
    nodeID: z.string().optional(),
    reason: z.string(),
    count: z.int(),
    /** Workflow ids. */
    examples: z.array(z.string()),
    /** Of the version, in virtual time. */
    durationMs: percentiles.optional(),
    durationBeforeMs: percentiles.optional(),
  })
  .meta({ id: 'BpmnBacktestGroup' });

export const backtest = z
  .strictObject({
    backtestID: uuid,
    processID: z.string(),
    definitionID: uuid.optional(),
    /** Its number. Absent for a draft, and if the version was deleted. */
    version: z.int().optional(),
    /** Of a draft. */
    resourceID: uuid.optional(),
    /** Absent for a version, and if the draft was deleted. */
    draftName: z.string().optional(),
    status: z.enum(backtestStatuses),
    createdBy: z.string(),
    createdAt: timestamp,
    completedAt: timestamp.optional(),
    reason: z.string().optional(),
    total: z.int(),
    done: z.int(),
    counts: z.strictObject({
      same: z.int(),
      otherPath: z.int(),
      otherResult: z.int(),
      incident: z.int(),
      unanswered: z.int(),
      skipped: z.int(),
    }),
    /** The 100 largest. */
    groups: z.array(group),
    /** How often each sequence flow was taken. */
    flows: z.array(z.strictObject({ flowID: z.string(), before: z.int(), after: z.int() })),
  })
  .meta({ id: 'BpmnBacktest' });

export const backtestPage = pageOf('BpmnBacktestPaginatedResponse', backtest);

export const backtestItem = z
  .strictObject({
    workflowID: z.string(),
    outcome: z.enum(backtestOutcomes),
    /** The first difference. */
    first: z
      .strictObject({
        nodeID: z.string(),
        /** Of the activations of the node, from 1. */
        occurrence: z.int(),
        expected: z.array(z.string()).optional(),
        found: z.array(z.string()).optional(),
      })
      .optional(),
    /** Names of those that differ. */
    variables: z.array(z.string()).optional(),
    durationMs: z.number().optional(),
    durationBeforeMs: z.number().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'BpmnBacktestItem' });

export const backtestItemPage = pageOf('BpmnBacktestItemPaginatedResponse', backtestItem);

const visit = z
  .strictObject({
    nodeID: z.string(),
    /** As recorded, or in the virtual time of the version. */
    at: timestamp,
    /** Ids of the sequence flows whose tokens it took. */
    flows: z.array(z.string()),
    /** Of the recorded run: the number of its fact, as in a replay of the instance. */
    fact: z.int().optional(),
    /** The number of visits of the run when this one ended. Absent if it never ended. */
    endedAfter: z.int().optional(),
    /** The number, from 1, of the same visit in the other run. Absent if that run does not have it. */
    counterpart: z.int().optional(),
  })
  .meta({ id: 'BpmnBacktestVisit' });

const run = z
  .strictObject({
    /** In the order of the run, from its start; the first 2,000. */
    visits: z.array(visit),
    /** Whether the run has more. */
    truncated: z.boolean(),
  })
  .meta({ id: 'BpmnBacktestRun' });

export const backtestRuns = z
  .strictObject({
    item: backtestItem,
    /** As recorded. */
    before: run.optional(),
    /** Of the version, played again. */
    after: run.optional(),
    /** Why the runs are absent although the instance was compared. */
    problem: z.string().optional(),
  })
  .meta({ id: 'BpmnBacktestRuns' });

const stored = z.looseObject({ format: z.int() });

export const backtestPositions = z
  .strictObject({
    at: z.int().describe('Index of the position at which the node of the first difference begins'),
    positions: z.array(
      z.strictObject({
        now: z.number().describe('Moment in the virtual time of the version, in epoch milliseconds'),
        visits: z.int().describe('Number of visits that have begun'),
        isInside: z
          .literal(true)
          .optional()
          .describe(
            'The run cannot be continued from here: in the middle of a step, or before an answer of a decision',
          ),
        state: stored.describe('State of the interpreter, in its `format`'),
      }),
    ),
    graph: stored.describe('Compiled process that it runs, in its `format`'),
  })
  .meta({ id: 'BpmnBacktestPositions' });

export const cancelBacktestRequest = z.strictObject({ reason }).meta({ id: 'CancelBpmnBacktestRequest' });
