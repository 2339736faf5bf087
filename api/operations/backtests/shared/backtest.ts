import type { z } from 'zod';
import type { Backtest, BacktestGroup, BacktestItem } from '../../../../store/backtests/backtests.js';
import { optional, optionalTime, time } from '../../../contract/wire.js';
import type { backtest, backtestItem } from './schemas.js';

export function toBacktest(found: Backtest): z.output<typeof backtest> {
  const { backtestID, processID, version, draftName, status, createdBy, total, counts, groups, flows } = found;
  return {
    backtestID,
    processID,
    definitionID: optional(found.definitionID),
    version: optional(version),
    resourceID: optional(found.resourceID),
    draftName: optional(draftName),
    status,
    createdBy,
    createdAt: time(found.createdAt),
    completedAt: optionalTime(found.completedAt),
    reason: optional(found.reason),
    total,
    done: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    groups: groups.map(toGroup),
    flows: Object.entries(flows)
      .map(([flowID, [before, after]]) => ({ flowID, before, after }))
      .sort((one, other) => (one.flowID < other.flowID ? -1 : 1)),
  };
}

function toGroup({ nodeID, ...group }: BacktestGroup): z.output<typeof backtest>['groups'][number] {
  return { ...group, nodeID: optional(nodeID) };
}

export function toBacktestItem(item: BacktestItem): z.output<typeof backtestItem> {
  const { workflowID, outcome, nodeID, occurrence } = item;
  return {
    workflowID,
    outcome,
    first:
      nodeID === null || occurrence === null
        ? undefined
        : { nodeID, occurrence, expected: optional(item.expected), found: optional(item.found) },
    variables: optional(item.variables),
    durationMs: optional(item.durationMs),
    durationBeforeMs: optional(item.durationBeforeMs),
    reason: optional(item.reason),
  };
}
