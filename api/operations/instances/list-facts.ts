import { z } from 'zod';
import { findInstance } from '../../../store/instances/instances.js';
import { listFacts } from '../../../store/steps/replay.js';
import { defineOperation } from '../../commands/define-operation.js';
import { pageResponse } from '../../commands/page.js';
import { notFound } from '../../contract/problem.js';
import { pageQuery } from '../../contract/schemas.js';
import { toFactView } from './shared/fact-view.js';
import { factPage } from './shared/schemas.js';

export const listBpmnInstanceFacts = defineOperation({
  operationID: 'ListBpmnInstanceFacts',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/instances/{workflowID}/replay/facts',
  role: 'viewer',
  summary: 'List the facts of an instance',
  description:
    'In order of occurrence. The replay operation shows the instance as of each fact, by the number of the fact.',
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: { description: 'Page of facts', schema: factPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const instance = await findInstance(context.store, params.projectID, params.workflowID);
  if (instance === undefined) return notFound(`no instance ${params.workflowID} in project ${params.projectID}`);
  const facts = await listFacts(context.store, params.workflowID, query, ({ at, fact, now, state }) => ({
    at,
    status: state.status,
    ...toFactView(fact, now, state),
  }));
  return { status: 200, body: pageResponse(query, facts, (fact) => fact) };
});
