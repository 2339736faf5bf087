import type { Refusal, RefusalCode } from '../../store/sql/refusal.js';
import { notFound, problem } from '../contract/problem.js';
import type { Problem } from '../contract/problem.js';

/** The problem for a refusal by the store, whose last sentence may have its period or not. */
export function refusalProblem<Code extends RefusalCode>({ code, message, details }: Refusal<Code>): Problem<Code> {
  // The constant not-found text takes the message as its reason, for the log.
  return (
    code === 'NOT_FOUND'
      ? notFound(message)
      : problem(code, message.endsWith('.') ? message : `${message}.`, details && { details })
  ) as Problem<Code>;
}
