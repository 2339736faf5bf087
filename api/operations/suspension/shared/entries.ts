/** Actor, time, and reason of suspensions of instances and definitions. */
import type { z } from 'zod';
import type { Definition } from '../../../../store/definitions/definitions.js';
import type { Instance } from '../../../../store/instances/instances.js';
import type { Suspension } from '../../../../store/suspension/view.js';
import { optional, time } from '../../../contract/wire.js';
import type { suspensionEntry } from '../../instances/shared/schemas.js';

type Entry = z.output<typeof suspensionEntry>;

/** An ended instance is not paused, even while its definition or an ancestor is suspended. */
export function toSuspensions(instance: Instance, parent: Suspension | undefined) {
  if (instance.status !== 'RUNNING') return {};
  return {
    instanceSuspension: toEntry({ at: instance.suspendedAt, by: instance.suspendedBy, reason: instance.suspendReason }),
    definitionSuspension: toEntry({
      at: instance.definitionSuspendedAt,
      by: instance.definitionSuspendedBy,
      reason: instance.definitionSuspendReason,
    }),
    parentSuspension: parent && toEntry(parent),
  };
}

/** The `partialSuspensionMembers` of a definition. */
export function toPartialSuspension(definition: Definition) {
  const { startsSuspendedAt, startsSuspendedBy, startsSuspendReason, scheduledSuspension } = definition;
  return {
    startsSuspension: toEntry({ at: startsSuspendedAt, by: startsSuspendedBy, reason: startsSuspendReason }),
    scheduledSuspension: optional(scheduledSuspension) && {
      ...scheduledSuspension!,
      at: time(new Date(scheduledSuspension!.at)),
      reason: optional(scheduledSuspension!.reason),
    },
  };
}

function toEntry({ at, by, reason }: { [Member in keyof Suspension]: Suspension[Member] | null }): Entry | undefined {
  return at === null ? undefined : { suspendedAt: time(at), suspendedBy: optional(by), reason: optional(reason) };
}
