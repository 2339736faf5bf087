import type { z } from 'zod';
import type { Definition } from '../../../../store/definitions/definitions.js';
import type { StartTimerView } from '../../../../store/messages/start-timers.js';
import { optional, optionalTime, time } from '../../../contract/wire.js';
import type { definition } from './schemas.js';

export function toDefinition(found: Definition, timers: readonly StartTimerView[]): z.output<typeof definition> {
  const { definitionID, resourceID, processID, version, createdAt } = found;
  return {
    id: definitionID,
    resourceID,
    processID,
    processName: optional(found.processName),
    version,
    versionTag: optional(found.versionTag),
    createdAt: time(createdAt),
    suspendedAt: optionalTime(found.suspendedAt),
    suspendedBy: optional(found.suspendedBy),
    suspendReason: optional(found.suspendReason),
    startTimers: timers.map(({ node, wanted, lastSkippedTick, ...timer }) => ({
      ...timer,
      nodeID: node,
      active: wanted,
      lastSkippedAt: optionalTime(lastSkippedTick),
    })),
  };
}
