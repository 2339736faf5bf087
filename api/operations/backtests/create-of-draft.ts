import { compileResource } from '@perdure/bpmn';
import { findResource } from '../../../store/definitions/resources.js';
import { defineOperation } from '../../commands/define-operation.js';
import { onlyItsPath } from '../../contract/audit/recording.js';
import { isProblem, notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { chooseProcess, invalidModel, issuesOf } from '../resources/shared/model.js';
import { acceptBacktest } from './shared/accept.js';
import { acceptedBacktest, createDraftBacktestRequest } from './shared/schemas.js';

export const createBpmnDraftBacktest = defineOperation({
  operationID: 'CreateBpmnDraftBacktest',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/resources/{resourceID}/backtests',
  role: 'editor',
  records: { entry: 'within', says: onlyItsPath },
  summary: 'Compare a draft with history',
  description:
    'Like `CreateBpmnBacktest`, with the file as it is now. Changing, deploying, or deleting the draft changes nothing for it. `processID` is needed for a file with several processes.',
  request: { params: { resourceID: uuid }, body: createDraftBacktestRequest.prefault({}) },
  responses: { 202: { description: 'Backtest accepted', schema: acceptedBacktest } },
  problems: ['INVALID_MODEL'],
  accepts: ['Idempotency-Key'],
  deadlineSeconds: 120,
}).handle(async ({ params: { projectID, resourceID }, body, caller, headers, audit, context, turns }) => {
  const resource = await findResource(context.store, projectID, resourceID);
  if (resource === undefined) return notFound(`no resource ${resourceID} in project ${projectID}`);
  const compiled = await compileResource(resource.xml, turns);
  if (issuesOf(compiled).errors.length > 0) return invalidModel(compiled);
  const chosen = chooseProcess(compiled.processes, body.processID);
  if (isProblem(chosen)) return chosen;
  const { filter = {}, newest, reason } = body;
  const { processID, graph, sha256 } = chosen;
  const version = { processID, version: { resourceID }, graph: JSON.stringify(graph), graphSha256: sha256 };
  const request = { ...version, projectID, filter, newest, reason, createdBy: caller.subject };
  return acceptBacktest(context, request, { idempotency: headers.idempotency, audit });
});
