import type { z } from 'zod';
import type { Definition } from '../../../../store/definitions/definitions.js';
import type { StartTimerView } from '../../../../store/messages/start-timers.js';
import { optional, optionalTime, time, toSuspension } from '../../../contract/wire.js';
import { toPartialSuspension } from '../../suspension/shared/entries.js';
import type { processDefinition } from '../../resources/shared/schemas.js';
import type { definition } from './schemas.js';

export function toDefinition(found: Definition, timers: readonly StartTimerView[]): z.output<typeof definition> {
  return {
    ...toProcessDefinition(found),
    ...toPartialSuspension(found),
    versionTag: optional(found.versionTag),
    startTimers: timers.map(({ node, wanted, lastSkippedTick, ...timer }) => ({
      ...timer,
      nodeID: node,
      active: wanted,
      lastSkippedAt: optionalTime(lastSkippedTick),
    })),
  };
}

/** A definition as its resource lists it. */
export function toProcessDefinition(found: Definition): z.output<typeof processDefinition> {
  const { definitionID, resourceID, processID, version, createdAt } = found;
  return {
    id: definitionID,
    resourceID,
    processID,
    processName: optional(found.processName),
    version,
    createdAt: time(createdAt),
    ...toSuspension(found),
  };
}
