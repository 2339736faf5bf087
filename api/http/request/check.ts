/** Checks values against the schemas of an operation. */
import type { z } from 'zod';
import type { UnstorableJson } from '@perdure/lib/storable-json.js';
import { problem, type Problem } from '../../contract/problem.js';
import { isExcess } from '../../contract/variables.js';

export type Checked<Value> = { readonly kind: 'valid'; readonly value: Value } | Problem;

interface Issue {
  readonly path: string;
  readonly message: string;
}

export function check(schema: z.ZodType, value: unknown, part: 'query' | 'body'): Checked<unknown> {
  if (value === undefined && !schema.safeParse(value).success) return badRequest(`The ${part} is missing`);
  const result = schema.safeParse(value);
  if (result.success) return { kind: 'valid', value: result.data };
  const [excess] = result.error.issues;
  if (excess && result.error.issues.every(isExcess)) return problem('PAYLOAD_TOO_LARGE', excess.message);
  const issues = result.error.issues.slice(0, 20).map(describe);
  return badRequest(
    `The ${part} is not valid: ${issues.map(({ path, message }) => `${path || '/'}: ${message}`).join('; ')}`,
    issues,
  );
}

/** Zod's messages contain types, limits, and property names, but never the value. */
function describe(issue: z.core.$ZodIssue): Issue {
  return {
    path: issue.path.map((step) => `/${String(step).slice(0, 100)}`).join(''),
    message: issue.message.slice(0, 300),
  };
}

export function badRequest(message: string, issues: readonly Issue[] = []): Problem {
  return problem('BAD_REQUEST', message, issues.length > 0 ? { details: { issues } } : {});
}

/** The body is not JSON that can be stored. */
export function unstorable({ message, pointer }: UnstorableJson): Problem {
  return badRequest(`The body cannot be stored: ${message}${pointer && ` (at ${pointer})`}`, [
    { path: pointer, message },
  ]);
}
