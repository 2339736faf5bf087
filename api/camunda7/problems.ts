/** Problems as Camunda 7 describes them. */
import type { ProblemFormat } from '../http/response/plain-response.js';
import { notFound, problem, type Problem } from '../contract/problem.js';

/**
 * Clients expect 404 for a task that does not exist anymore, and 400 for one that another worker has. The log keeps the
 * actual code.
 */
export function toCamundaProblem(found: Problem): Problem {
  switch (found.code) {
    case 'CONFLICT':
    case 'INSTANCE_ENDED':
      return notFound(`${found.code}: ${found.message}`);
    case 'LEASE_LOST':
    case 'SUSPENDED':
      return problem('BAD_REQUEST', found.message, { reason: found.code });
    default:
      return found;
  }
}

export const camundaProblems: ProblemFormat = {
  mediaType: 'application/json',
  describe: ({ code, message }) => ({
    type: code === 'BAD_REQUEST' ? 'InvalidRequestException' : 'RestException',
    message,
    code: null,
  }),
};
