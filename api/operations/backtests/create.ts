import { findBacktestedDefinition } from '../../../store/backtests/create.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { acceptBacktest } from './shared/accept.js';
import { acceptedBacktest, createBacktestRequest, MAX_INSTANCES } from './shared/schemas.js';

export const createBpmnBacktest = defineOperation({
  operationID: 'CreateBpmnBacktest',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/definitions/{definitionID}/backtests',
  role: 'editor',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Compare a definition with history',
  description: `Plays ended instances of the process against this version, in memory and in the background, and counts what would have been different. The instances are chosen now: of the root instances that match \`filter\` and have ended, the newest, at most ${MAX_INSTANCES}. Nothing is written but the report: no job, message, task, or event comes of it.`,
  request: { params: { definitionID: uuid }, body: createBacktestRequest.prefault({}) },
  responses: { 202: { description: 'Backtest accepted', schema: acceptedBacktest } },
  problems: [],
  accepts: ['Idempotency-Key'],
  deadlineSeconds: 120,
}).handle(async ({ params: { projectID, definitionID }, body, caller, headers, audit, context }) => {
  const found = await findBacktestedDefinition(context.store, projectID, definitionID);
  if (found === undefined) return notFound(`no definition ${definitionID} in project ${projectID}`);
  const { filter = {}, newest, reason } = body;
  const request = { ...found, projectID, version: { definitionID }, filter, newest, reason, createdBy: caller.subject };
  return acceptBacktest(context, request, { idempotency: headers.idempotency, audit });
});
