/** A recorded evaluation on the wire. */
import type { z } from 'zod';
import type { DecisionExecution, ListedExecution } from '../../../../store/decisions/executed.js';
import { optional, time } from '../../../contract/wire.js';
import type { execution } from './schemas.js';

export function toExecution({
  executionID,
  executedAt,
  executedBy,
  businessID,
  ...members
}: DecisionExecution): z.output<typeof execution> {
  return {
    id: executionID,
    ...members,
    executedAt: time(executedAt),
    executedBy: optional(executedBy),
    businessId: optional(businessID),
  };
}

export function toListedExecution({ isOmitted, inputs, ...found }: ListedExecution): z.output<typeof execution> {
  return { ...toExecution({ ...found, inputs: inputs ?? {} }), ...(isOmitted && { valuesOmitted: true as const }) };
}
