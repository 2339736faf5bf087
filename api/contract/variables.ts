/** Variables in requests. They can take as much as an instance can hold over all its scopes; more is 413. */
import type { z } from 'zod';
import { MAX_VARIABLES_BYTES } from '@perdure/engine/behaviors/lifecycle/size.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { variables } from './schemas.js';

/** Marks issues that the request pipeline reports as 413 instead of 400. */
const tooLarge = { code: 'PAYLOAD_TOO_LARGE' } as const;

/** Refuses a part of a body whose JSON is larger than the variables of an instance can be. */
export function fitsInstance({ value, issues }: z.core.ParsePayload): void {
  const message = excessOf(value);
  if (message !== undefined) issues.push({ code: 'custom', input: value, message, params: tooLarge });
}

/** The inputs of an evaluation of decisions, which is kept with them: as much as an instance can hold. */
export const evaluationInputs = variables.check(({ value, issues }) => {
  const bytes = bytesOf(value);
  if (bytes <= MAX_VARIABLES_BYTES) return;
  const message = `The inputs take ${bytes} bytes, but the limit is ${MAX_VARIABLES_BYTES}`;
  issues.push({ code: 'custom', input: value, message, params: tooLarge });
});

/** The variables of an item of a batch. An item with too many fails alone, see `excessOf`. */
export const itemVariables =
  // The request pipeline has read the body as storable JSON.
  variables as unknown as z.ZodType<Variables>;

/** Variables that an operation passes to an instance. */
export const givenVariables = itemVariables.check(fitsInstance);

/** Why these variables do not fit into an instance, or undefined if they do. */
export function excessOf(given: unknown): string | undefined {
  const bytes = bytesOf(given);
  if (bytes <= MAX_VARIABLES_BYTES) return undefined;
  return `The variables take ${bytes} bytes, but the limit of an instance is ${MAX_VARIABLES_BYTES}`;
}

function bytesOf(given: unknown): number {
  return given === undefined ? 0 : Buffer.byteLength(JSON.stringify(given));
}

/** Whether a schema reports this issue because a part of the body is too large. */
export function isExcess(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params === tooLarge;
}
