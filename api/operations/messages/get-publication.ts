import { nearMisses } from '../../../store/publications/near-misses.js';
import {
  findPublication,
  readPublicationVariables,
  type Publication,
} from '../../../store/publications/publications.js';
import type { ApiContext } from '../../context.js';
import { defineOperation } from '../../commands/define-operation.js';
import { notFound } from '../../contract/problem.js';
import { uuid } from '../../contract/schemas.js';
import { toPublication } from './shared/publication.js';
import { publication } from './shared/schemas.js';

export const getBpmnPublication = defineOperation({
  operationID: 'GetBpmnPublication',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/publications/{publicationID}',
  role: 'viewer',
  summary: 'Get a message or signal',
  description:
    'While it is kept, with its variables, and for a message with the open subscriptions of its name that it does not match. An ended publication is available for 24 hours.',
  request: { params: { publicationID: uuid } },
  responses: { 200: { description: 'Publication', schema: publication } },
  problems: [],
}).handle(async ({ params, context }) => {
  const { projectID, publicationID } = params;
  const found = await findPublication(context.store, projectID, publicationID);
  if (found === undefined) return notFound(`no publication ${publicationID} in project ${projectID}`);
  const kept = found.state === 'KEPT' ? await ofKept(context, found) : {};
  return { status: 200, body: { ...toPublication(found), ...kept } };
});

async function ofKept({ store }: ApiContext, found: Publication) {
  const variables = await readPublicationVariables(store, found.publicationID);
  if (found.type === 'signal') return { variables };
  const missed = await nearMisses(store, found);
  return {
    variables,
    nearMisses: missed.map(({ correlation, ...miss }) => ({
      ...miss,
      ...(correlation !== undefined && { correlationKeys: correlation }),
    })),
  };
}
