import { listPublications, publicationFilters } from '../../../store/publications/publications.js';
import { definePages } from '../../commands/define-list.js';
import { toPublication } from './shared/publication.js';
import { publication, publicationPage } from './shared/schemas.js';

export const listBpmnPublications = definePages({
  operationID: 'ListBpmnPublications',
  path: '/projects/{projectID}/bpmn/publications',
  role: 'viewer',
  summary: 'List messages and signals',
  description: 'Newest first. Ended publications are listed for 24 hours, without their variables.',
  filters: publicationFilters,
  hasTests: true,
  item: publication,
  page: publicationPage,
}).rows({
  page: ({ params, context }, page, filter) => listPublications(context.store, params.projectID, filter, page),
  toItem: toPublication,
});
