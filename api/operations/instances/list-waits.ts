import { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { atOneMoment } from '../../../store/steps/recorded-steps.js';
import { pageResponse } from '../../commands/page.js';
import { mayWorkOnTask } from '../../access/user-task.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { readWaits } from './shared/wait.js';
import { waitPage } from './shared/wait-schema.js';

export const listBpmnInstanceWaits = defineOperation({
  operationID: 'ListBpmnInstanceWaits',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/waits',
  role: 'viewer',
  summary: 'List what an instance waits for',
  description:
    'Oldest first. A running instance always has at least one entry; an ended one has none. Its suspension says whether it is paused. ' +
    'Viewers do not get `executionKey`, `assignee`, and `dueDate` of a user task, unless it names them.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of waits', schema: waitPage } },
  problems: [],
}).handle(async ({ params, query, context, caller }) => {
  const { projectID, workflowID } = params;
  const found = await atOneMoment(context.store, async (store) => {
    const instance = await findInstance(store, projectID, workflowID);
    return instance && readWaits(store, instance, query, (task) => mayWorkOnTask(caller, projectID, task));
  });
  if (found === undefined) return notFound(`no instance ${workflowID} in project ${projectID}`);
  return { status: 200, body: pageResponse(query, found, (wait) => wait) };
});
