import { z } from 'zod';
import {
  listPublications,
  publicationStates,
  type PublicationState,
} from '../../../store/publications/publications.js';
import { pageResponse } from '../../commands/page.js';
import { defineOperation } from '../../commands/define-operation.js';
import { givenTimestamp, pageQuery, queryWords, wordsOf, isTest } from '../../contract/schemas.js';
import { dateOf } from '../../contract/wire.js';
import { toPublication } from './shared/publication.js';
import { publicationPage, publicationType } from './shared/schemas.js';

export const listBpmnPublications = defineOperation({
  operationID: 'ListBpmnPublications',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/publications',
  role: 'viewer',
  summary: 'List messages and signals',
  description: 'Newest first. Ended publications are listed for 24 hours, without their variables.',
  request: {
    query: z.strictObject({
      type: publicationType.optional(),
      name: z.string().max(255).optional(),
      state: queryWords(publicationStates).optional(),
      publishedAfter: givenTimestamp.optional(),
      publishedBefore: givenTimestamp.optional(),
      isTest,
      ...pageQuery,
    }),
  },
  responses: { 200: { description: 'Page of publications', schema: publicationPage } },
  problems: [],
}).handle(async ({ params, query, context }) => {
  const { type, name } = query;
  const filter = {
    type,
    name,
    states: wordsOf<PublicationState>(query.state),
    publishedAfter: dateOf(query.publishedAfter),
    publishedBefore: dateOf(query.publishedBefore),
  };
  const found = await listPublications(context.store, params.projectID, filter, query);
  return { status: 200, body: pageResponse(query, found, toPublication) };
});
