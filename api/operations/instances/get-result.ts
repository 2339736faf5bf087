import { z } from 'zod';
import { commandDeadlineSeconds } from '../../commands/commands.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { awaitResult } from './shared/result.js';
import { instanceResult, queryVariableNames } from './shared/schemas.js';

export const getBpmnInstanceResult = defineOperation({
  operationID: 'GetBpmnInstanceResult',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/result',
  role: 'viewer',
  summary: 'Get the result of an instance',
  description:
    'With `Prefer: wait=N`, waits until the instance has ended or has an open incident, its own or one below it; without the header, returns at once. ' +
    'When the time is up, the status is RUNNING. A paused instance is waited for. ' +
    'A loop over this request must pause by itself when it sees incidents, because each request then returns at once.',
  request: { query: z.strictObject({ fetchVariables: queryVariableNames.optional() }) },
  responses: { 200: { description: 'Result, or the present state', schema: instanceResult } },
  problems: [],
  waits: 'news',
  deadlineSeconds: commandDeadlineSeconds,
}).handle(async ({ params, query, headers, context, signal }) => {
  const result = await awaitResult(context, {
    ...params,
    fetchVariables: query.fetchVariables?.split(','),
    waitMilliseconds: headers.preferredWaitMilliseconds ?? 0,
    signal,
  });
  return result === undefined
    ? notFound(`no instance ${params.workflowID} in project ${params.projectID}`)
    : { status: 200, body: result };
});
