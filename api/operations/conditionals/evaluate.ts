import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../../store/sql/database.js';
import { startInstance, type Started, type StartRequest } from '../../../store/instances/start.js';
import type { ApiContext } from '../../context.js';
import { defineOperation } from '../../commands/define-operation.js';
import { variableNames } from '../../contract/audit/recording.js';
import { withIdempotencyKey } from '../../commands/with-idempotency-key.js';
import { notFound, problem } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { givenVariables } from '../../contract/variables.js';
import { findConditionsMet, type StartCondition } from './shared/conditions-met.js';

const request = z
  .strictObject({ variables: givenVariables, definitionID: uuid.optional() })
  .meta({ id: 'EvaluateBpmnConditionalsRequest' });

const answer = z
  .strictObject({
    started: z.array(z.strictObject({ workflowID: z.string(), definitionID: uuid })),
    queueFull: z
      .array(uuid)
      .optional()
      .describe(
        'Definitions whose condition is true and that started nothing, because the queue of their process is full',
      ),
  })
  .meta({ id: 'EvaluateBpmnConditionalsResponse' });

type Answer = z.output<typeof answer>;

/** The outbox relay sends the rest. */
const SENT_AT_ONCE = 20;

export const evaluateBpmnConditionals = defineOperation({
  operationID: 'EvaluateBpmnConditionals',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/conditionals/evaluate',
  role: 'executor',
  records: { entry: 'within', says: variableNames },
  summary: 'Evaluate conditional start events',
  description:
    'Starts an instance at every conditional start event whose condition is true with the given variables. Checks the newest version of each process, or the definition that is named. A condition that cannot be evaluated with the variables, or that takes too long, counts as false. A suspended definition starts nothing.',
  request: { body: request },
  responses: { 200: { description: 'Started instances; each gets the variables of the request', schema: answer } },
  problems: [],
  accepts: ['Idempotency-Key'],
}).handle(async ({ params, body, caller, headers, traceContext, audit, context, turns }) => {
  const { projectID } = params;
  const given = body.variables;
  const conditions = await findConditionsMet({ store: context.store, turns }, projectID, body.definitionID, given);
  if (conditions === undefined)
    return problem(
      'BAD_REQUEST',
      'The conditions take too long to evaluate in one request. Name a definitionID, or simplify its conditions.',
    );
  if (body.definitionID !== undefined && conditions.found === 0)
    return notFound(`no definition ${body.definitionID} in project ${projectID}`);
  const result = await withIdempotencyKey<AllStarts, Answer>(context, headers.idempotency, async (database) => {
    const all = await startAll(
      database,
      { projectID, variables: given, startedBy: caller.subject, traceContext, audit },
      conditions.met,
    );
    const body = answerOf(all);
    return all.started.length === 0
      ? { kind: 'nothing', refused: body }
      : { kind: 'done', effect: all, answer: { status: 200, body } };
  });
  if (result.kind === 'nothing') return { status: 200, body: result.refused };
  await send(context, result.effect.started);
  return { status: 200, body: answerOf(result.effect) };
});

interface AllStarts {
  started: Started[];
  /** Definitions. */
  queueFull: string[];
}

async function startAll(
  database: Database,
  common: Pick<StartRequest, 'projectID' | 'variables' | 'startedBy' | 'traceContext' | 'audit'>,
  conditions: readonly StartCondition[],
): Promise<AllStarts> {
  const all: AllStarts = { started: [], queueFull: [] };
  for (const { definitionID, node, trigger } of conditions) {
    const written = await startInstance(database, {
      ...common,
      definitionID,
      workflowID: randomUUID(),
      startNode: node,
      startTrigger: trigger,
    });
    if (written.kind === 'started') all.started.push(written);
    else if (written.code === 'LIMIT_REACHED') all.queueFull.push(definitionID);
  }
  return all;
}

async function send({ instances }: ApiContext, started: readonly Started[]): Promise<void> {
  const toSend = started.filter(({ queued }) => !queued).slice(0, SENT_AT_ONCE);
  await Promise.all(toSend.map(({ instance }) => instances.start(instance)));
}

function answerOf({ started, queueFull }: AllStarts): Answer {
  return {
    started: started.map(({ instance: { workflowID, definitionID } }) => ({ workflowID, definitionID })),
    ...(queueFull.length > 0 && { queueFull }),
  };
}
