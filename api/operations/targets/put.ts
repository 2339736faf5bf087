import { WHOLE_INSTANCE } from '../../../store/statistics/rows.js';
import { readTargets, replaceTargets } from '../../../store/targets/targets.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { putTargetsRequest, targets } from './shared/schemas.js';
import { toTargets } from './shared/targets.js';

export const putBpmnTargets = defineOperation({
  operationID: 'PutBpmnTargets',
  method: 'PUT',
  path: '/projects/{projectID}/bpmn/processes/{processID}/targets',
  role: 'editor',
  records: 'around',
  summary: 'Replace the duration targets of a process',
  description:
    'How long instances of all versions, and activations of their nodes, should take at most: 1 second to 366 days, by wall clock, also while paused. ' +
    'A change applies to instances and activations that begin after it.',
  request: { params: { processID: modelIdentifier }, body: putTargetsRequest },
  responses: { 200: { description: 'Targets replaced', schema: targets } },
  problems: [],
}).handle(async ({ params: { projectID, processID }, body, context }) => {
  const given = body.targets.map(({ nodeID = WHOLE_INSTANCE, duration }) => ({ nodeID, durationMs: duration }));
  const isReplaced = await replaceTargets(context.store, projectID, processID, given);
  const found = isReplaced ? await readTargets(context.store, projectID, processID) : undefined;
  return found ? { status: 200, body: toTargets(found) } : notFound(`no process ${processID} in project ${projectID}`);
});
