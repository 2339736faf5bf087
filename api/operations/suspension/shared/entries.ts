/** Actor, time, and reason of suspensions, for the detail of an instance and its suspension view. */
import type { z } from 'zod';
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

function toEntry({ at, by, reason }: { [Member in keyof Suspension]: Suspension[Member] | null }): Entry | undefined {
  return at === null ? undefined : { suspendedAt: time(at), suspendedBy: optional(by), reason: optional(reason) };
}
