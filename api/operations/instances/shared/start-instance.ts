/** Starts an instance, for every operation that does so. */
import { randomUUID } from 'node:crypto';
import type { KeyedRequest } from '../../../../store/projects/idempotency.js';
import { startInstance, startUnlessFormChecks } from '../../../../store/instances/start.js';
import type { InstanceToStart, Started, StartRequest } from '../../../../store/instances/start.js';
import type { Queryable } from '../../../../store/sql/database.js';
import type { ApiContext } from '../../../context.js';
import { withIdempotencyKey } from '../../../commands/with-idempotency-key.js';
import { isProblem, type Problem } from '../../../contract/problem.js';
import { refusalProblem } from '../../../commands/refusal.js';

export interface StartedAnswer {
  readonly status: 201;
  readonly body: { workflowID: string };
}

type StartProblem = Problem<'BAD_REQUEST' | 'NOT_FOUND' | 'CONFLICT' | 'DEFINITION_SUSPENDED'>;

/** The problem for variables that the start form refuses. */
type CheckForm = (database: Queryable) => Promise<Problem<'BAD_REQUEST'> | undefined>;

/**
 * Writes the instance and starts its workflow in Temporal. If Temporal does not receive the start, the outbox relay
 * sends it again. A repeated request gets its first response, even if its form has changed since.
 * @param checkForm called if the project checks submitted variables and the process has a start form
 */
export async function startOnce(
  context: ApiContext,
  request: Omit<StartRequest, 'workflowID'>,
  idempotency: KeyedRequest | undefined,
  checkForm?: CheckForm,
): Promise<StartedAnswer | StartProblem | Problem<'IDEMPOTENCY_KEY_REUSED'>> {
  const workflowID = randomUUID();
  const answer = { status: 201 as const, body: { workflowID } };
  const result = await withIdempotencyKey<InstanceToStart, StartProblem>(context, idempotency, async (database) => {
    const started = await writeStart(database, { ...request, workflowID }, checkForm);
    return isProblem(started)
      ? { kind: 'nothing', refused: started }
      : { kind: 'done', effect: started.instance, answer };
  });
  switch (result.kind) {
    case 'problem':
      return result;
    case 'nothing':
      return result.refused;
    case 'repeated':
      return { status: 201, body: result.answer.body as StartedAnswer['body'] };
    case 'done':
      await context.instances.start(result.effect);
      return answer;
  }
}

async function writeStart(
  database: Queryable,
  request: StartRequest,
  checkForm: CheckForm | undefined,
): Promise<Started | StartProblem> {
  let started = checkForm ? await startUnlessFormChecks(database, request) : await startInstance(database, request);
  if (started.kind === 'unchecked') {
    const refused = await checkForm!(database);
    if (refused !== undefined) return refused;
    started = await startInstance(database, request);
  }
  return started.kind === 'refused' ? refusalProblem(started) : started;
}
