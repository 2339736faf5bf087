import type { Answer, Operation } from './operation.js';
import { isProblem, problemCodes } from './problem.js';
import type { Problem } from './problem.js';

/** Codes that the door documents on every operation where they can occur. */
const doorCodes = new Set(['BAD_REQUEST', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'TOO_MANY_REQUESTS', 'UNAVAILABLE']);

/** Throws when an operation answers what its declaration does not say: a mistake of ours that tests must see. */
export function verifyAnswer(operation: Operation, answer: Answer | Problem): void {
  if (isProblem(answer)) {
    if (doorCodes.has(answer.code) || operation.problems.includes(answer.code)) return;
    throw new Error(`${operation.operationID} answered ${answer.code} (${problemCodes[answer.code].status}), which it does not declare`);
  }
  const declared = operation.responses[answer.status];
  if (declared === undefined) throw new Error(`${operation.operationID} answered ${answer.status}, which it does not declare`);
  // As the caller will see it: without undefined members.
  const sent: unknown = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
  const checked = declared.schema?.safeParse(sent);
  if (checked?.success === false) {
    throw new Error(`${operation.operationID} answered ${answer.status} with a body that does not fit its schema: ${checked.error.message}`);
  }
}
