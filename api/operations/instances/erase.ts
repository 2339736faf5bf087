import { findInstance } from '../../../store/instances/instances.js';
import { eraseInstanceIn, foldTree } from '../../../store/retention/erase.js';
import { recorded } from '../../audit/recording.js';
import { refusalProblem } from '../../commands/refusal.js';
import { reasonQuery } from '../../contract/schemas.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';

export const eraseBpmnInstance = defineOperation({
  operationID: 'EraseBpmnInstance',
  method: 'DELETE',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/history',
  role: 'admin',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Erase an ended instance and its descendants',
  description:
    'After the response, every read of the instance returns 404, and no list has it. Its rows and its Temporal workflows are deleted within minutes. Refused for a child instance, and while the instance or a descendant is running.',
  request: { query: reasonQuery },
  responses: { 204: { description: 'Erased' } },
  problems: ['CONFLICT'],
}).handle(async (input) => {
  const { params } = input;
  await foldTree(input.context.store, params);
  return recorded(input, async (store) => {
    // The entry is written when the row is gone.
    const instance = await findInstance(store, params.projectID, params.workflowID);
    const outcome = await store.transaction((transaction) => eraseInstanceIn(transaction, params));
    if (outcome.kind === 'refused') return refusalProblem(outcome);
    return { status: 204, audit: { definitionID: instance?.definitionID, processId: instance?.processID } };
  });
});
