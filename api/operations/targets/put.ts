import { changesBetween } from '../../../store/audit/details.js';
import { WHOLE_INSTANCE } from '../../../store/statistics/rows.js';
import { readTargets, replaceTargets } from '../../../store/targets/targets.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { modelIdentifier } from '../../contract/schemas.js';
import { putTargetsRequest, targets } from './shared/schemas.js';
import { targetTexts, toTargets } from './shared/targets.js';

export const putBpmnTargets = defineOperation({
  operationID: 'PutBpmnTargets',
  method: 'PUT',
  path: '/projects/{projectID}/bpmn/processes/{processID}/targets',
  role: 'editor',
  records: { entry: 'around', says: onlyItsPath },
  summary: 'Replace the duration targets of a process',
  description:
    'How long instances of all versions, and activations of their nodes, should take at most: 1 second to 366 days, by wall clock, also while paused. ' +
    'A change applies to instances and activations that begin after it.',
  request: { params: { processID: modelIdentifier }, body: putTargetsRequest },
  responses: { 200: { description: 'Targets replaced', schema: targets } },
  problems: [],
}).handle(async ({ params: { projectID, processID }, body, context }) => {
  const given = body.targets.map(({ nodeID = WHOLE_INSTANCE, duration }) => ({ nodeID, durationMs: duration }));
  const before = await replaceTargets(context.store, projectID, processID, given);
  const after = before && (await readTargets(context.store, projectID, processID));
  if (after === undefined) return notFound(`no process ${processID} in project ${projectID}`);
  const details = changesBetween({ targets: targetTexts(before!) }, { targets: targetTexts(after) });
  return { status: 200, body: toTargets(after), audit: { details } };
});
