import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { entryPoints } from '../../../engine/entry-points.js';
import type { Variables } from '../../../engine/json.js';
import { modelOf } from '../../../engine/model.js';
import { evaluate } from '../../../feel/evaluate.js';
import { conditionalDefinitions, type ConditionalDefinition } from '../../../store/start-conditions.js';
import { startInstance, type InstanceToStart } from '../../../store/start.js';
import { defineOperation } from '../../operation.js';
import { notFound } from '../../problem.js';
import { uuid, variables } from '../../schemas.js';
import { asVariables, tooManyVariables } from '../../variables.js';

const request = z.strictObject({ variables, definitionID: uuid.optional() }).meta({ id: 'EvaluateBpmnConditionalsRequest' });

const answer = z
  .strictObject({ started: z.array(z.strictObject({ workflowID: z.string(), definitionID: uuid })) })
  .meta({ id: 'EvaluateBpmnConditionalsResponse' });

export const evaluateBpmnConditionals = defineOperation({
  operationID: 'EvaluateBpmnConditionals',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/conditionals/evaluate',
  role: 'executor',
  summary: 'Starts an instance at every conditional start event whose condition is true with the variables.',
  description:
    'Of the newest version of each process, or of one definition. A condition that cannot be evaluated with the variables is not true; a suspended definition starts nothing.',
  request: { body: request },
  responses: { 200: { description: 'What was started; the variables are those of each instance.', schema: answer } },
  problems: [],
}).handle(async ({ params, body, caller, context }) => {
  const tooLarge = tooManyVariables(body.variables);
  if (tooLarge !== undefined) return tooLarge;
  const { projectID } = params;
  const given = asVariables(body.variables);
  const definitions = await conditionalDefinitions(context.store, projectID, body.definitionID);
  if (body.definitionID !== undefined && definitions.length === 0) return notFound(`no definition ${body.definitionID} in project ${projectID}`);
  const started: InstanceToStart[] = [];
  for (const definition of definitions) {
    for (const start of conditionsMet(definition, given)) {
      const written = await startInstance(context.store, {
        projectID,
        definitionID: definition.definitionID,
        workflowID: randomUUID(),
        variables: given,
        startedBy: caller.subject,
        startNode: start.node,
        startTrigger: start.trigger,
      });
      if (written.kind === 'started') started.push(written.instance);
    }
  }
  await Promise.all(started.map((instance) => context.instances.start(instance)));
  return { status: 200, body: { started: started.map(({ workflowID, definitionID }) => ({ workflowID, definitionID })) } };
});

/** Evaluated as the engine evaluates: strict, in UTC. */
function conditionsMet({ graph }: ConditionalDefinition, given: Variables): { node: string; trigger: number }[] {
  const model = modelOf(graph);
  const now = Date.now();
  return entryPoints(model, now).filter(({ what }) => {
    if (what.kind !== 'conditional') return false;
    const condition = model.resolve(what.condition);
    if ('literal' in condition) return condition.literal === true;
    const outcome = evaluate(condition.compiled, given, { now, mode: 'strict' });
    return outcome.ok && outcome.value === true;
  });
}
