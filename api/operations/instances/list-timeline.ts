import { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { listTimeline, type TimelineEntry } from '../../../store/instances/timeline.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { optional, time } from '../../contract/wire.js';
import { timelinePage } from './shared/schemas.js';
import type { timelineEntry } from './shared/schemas.js';

export const listBpmnInstanceTimeline = defineOperation({
  operationID: 'ListBpmnInstanceTimeline',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/timeline',
  role: 'viewer',
  summary: 'List what people did to an instance',
  description:
    'Its start; suspensions and resumes of the instance, of its definition, and of its ancestors; resolved incidents, modifications, migrations, ' +
    'cancellation, changes of variables, and actions on ad-hoc sub-processes; assigned, completed, and failed user tasks; jobs that were changed, or that ended without a lease; redacted variables; and escalations that nothing caught. In order of occurrence.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of actions', schema: timelinePage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  return {
    status: 200,
    body: pageResponse(query, await listTimeline(context.store, params.workflowID, query), toTimelineEntry),
  };
});

function toTimelineEntry({
  at,
  actor,
  reason,
  message,
  commandID,
  batchID,
  scope,
  ...entry
}: TimelineEntry): z.output<typeof timelineEntry> {
  return {
    ...entry,
    time: time(at),
    actor: optional(actor),
    reason: optional(reason),
    message: optional(message),
    commandID: optional(commandID),
    batchID: optional(batchID),
    scope: optional(scope),
  };
}
