import type { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { parentSuspensionOf } from '../../../store/suspension/view.js';
import { listWaiting, type WaitingEvent } from '../../../store/suspension/waiting.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { time } from '../../contract/wire.js';
import { toSuspensions } from './shared/entries.js';
import { instanceSuspension, type waitingEvent } from './shared/schemas.js';

export const getBpmnInstanceSuspension = defineOperation({
  operationID: 'GetBpmnInstanceSuspension',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/suspension',
  role: 'viewer',
  summary: 'Get the suspensions and deferred events of an instance',
  request: {},
  responses: {
    200: {
      description: 'Suspensions and deferred events; only an empty list if the instance is not paused',
      schema: instanceSuspension,
    },
  },
  problems: [],
}).handle(async ({ params, context }) => {
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  const [parent, waiting] = await Promise.all([
    parentSuspensionOf(context.store, instance),
    listWaiting(context.store, instance),
  ]);
  return { status: 200, body: { ...toSuspensions(instance, parent), waiting: waiting.map(toWaitingEvent) } };
});

function toWaitingEvent({ kind, nodeID, name, since }: WaitingEvent): z.output<typeof waitingEvent> {
  return { kind, nodeID, name, since: time(since) };
}
