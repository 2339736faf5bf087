import type { z } from 'zod';
import type { Definition } from '../../../store/definitions.js';
import { optional, optionalTime, time } from '../../wire.js';
import type { definition } from './schemas.js';

export function toDefinition(found: Definition): z.output<typeof definition> {
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
  };
}
