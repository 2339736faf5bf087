/** Starts an instance, for every operation that does so. */
import { randomUUID } from 'node:crypto';
import type { KeyedRequest } from '../../../../store/projects/idempotency.js';
import { startInstance } from '../../../../store/instances/start.js';
import type { StartRequest } from '../../../../store/instances/start.js';
import type { ApiContext } from '../../../context.js';
import { withIdempotencyKey } from '../../../commands/with-idempotency-key.js';
import type { Problem } from '../../../contract/problem.js';
import { refusalProblem } from '../../../commands/refusal.js';

export interface StartedAnswer {
  readonly status: 201;
  readonly body: { workflowID: string };
}

/**
 * Writes the instance and starts its workflow in Temporal. If Temporal does not receive the start, the outbox relay
 * sends it again.
 */
export async function startOnce(
  context: ApiContext,
  request: Omit<StartRequest, 'workflowID'>,
  idempotency: KeyedRequest | undefined,
): Promise<StartedAnswer | Problem<'NOT_FOUND' | 'CONFLICT' | 'DEFINITION_SUSPENDED' | 'IDEMPOTENCY_KEY_REUSED'>> {
  const workflowID = randomUUID();
  const answer = { status: 201 as const, body: { workflowID } };
  const result = await withIdempotencyKey(context, idempotency, async (database) => {
    const started = await startInstance(database, { ...request, workflowID });
    if (started.kind === 'refused') return { kind: 'nothing', refused: started };
    return { kind: 'done', effect: started.instance, answer };
  });
  switch (result.kind) {
    case 'problem':
      return result;
    case 'nothing':
      return refusalProblem(result.refused);
    case 'repeated':
      return { status: 201, body: result.answer.body as StartedAnswer['body'] };
    case 'done':
      await context.instances.start(result.effect);
      return answer;
  }
}
