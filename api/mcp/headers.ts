/** Headers of the REST API that an agent sets, as arguments of the same names. */
import type { Operation } from '../commands/operation.js';

const ARGUMENTS = ['Idempotency-Key', 'If-Match', 'Prefer'] as const;

/** Those that the operation supports. */
export function headersOfTool({ accepts }: Operation): (typeof ARGUMENTS)[number][] {
  return ARGUMENTS.filter((name) => accepts.includes(name));
}
