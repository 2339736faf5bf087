import type { OperationResult, Operation } from '../../commands/operation.js';
import { isProblem, problemCodes } from '../../contract/problem.js';
import type { Problem } from '../../contract/problem.js';

/** Codes that the request pipeline documents on every operation where they can occur. */
const doorCodes = new Set(['BAD_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'TOO_MANY_REQUESTS', 'UNAVAILABLE']);

/** Throws when an operation returns a response that it does not declare: a bug that tests must detect. */
export function verifyResponse(operation: Operation, answer: OperationResult | Problem): void {
  if (isProblem(answer)) {
    if (doorCodes.has(answer.code) || operation.problems.includes(answer.code)) return;
    throw new Error(
      `${operation.operationID} returned ${answer.code} (${problemCodes[answer.code].status}), which it does not declare`,
    );
  }
  const declared = operation.responses[answer.status];
  if (declared === undefined)
    throw new Error(`${operation.operationID} returned ${answer.status}, which it does not declare`);
  // The body as the caller receives it: without undefined members.
  const sent: unknown = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
  const checked = declared.schema?.safeParse(sent);
  if (checked?.success === false) {
    throw new Error(
      `${operation.operationID} returned ${answer.status} with a body that does not match its schema: ${checked.error.message}`,
    );
  }
}
