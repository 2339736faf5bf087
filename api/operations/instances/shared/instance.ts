import { testMark } from '../../../commands/test-mark.js';
import type { z } from 'zod';
import type { Instance } from '../../../../store/instances/instances.js';
import { optional, optionalTime, time, toSuspension } from '../../../contract/wire.js';
import type { instance } from './schemas.js';

/** Where it was imported from; the person who started it there is not one of this host. */
export function toImportedFrom({
  importedSystem,
  importedID,
  importedStartedBy,
}: Instance): z.output<typeof instance>['importedFrom'] {
  if (importedSystem === null || importedID === null) return undefined;
  return { system: importedSystem, id: importedID, startedBy: optional(importedStartedBy) };
}

/** An instance as the lists show it. */
export function toInstance(found: Instance): z.output<typeof instance> {
  const { definitionID, workflowID, processID, processVersion, status, createdAt, hasIncident } = found;
  return {
    definitionID,
    workflowID,
    parentWorkflowID: optional(found.parentWorkflowID),
    processId: processID,
    processName: optional(found.processName),
    processVersion,
    status,
    failureReason: optional(found.failureReason),
    startedBy: optional(found.startedBy),
    createdAt: time(createdAt),
    completedAt: optionalTime(found.completedAt),
    hasIncident,
    overTarget: found.overTarget,
    definitionSuspended: found.definitionSuspended,
    parentSuspended: found.parentSuspended,
    ...toSuspension(found),
    businessId: optional(found.businessID),
    queued: found.queued || undefined,
    restartedFrom: optional(found.restartedFrom),
    importedFrom: toImportedFrom(found),
    ...testMark(workflowID),
  };
}
