import { listProcesses, processFilters, type ProcessSummary } from '../../../store/definitions/definitions.js';
import { definePages } from '../../commands/define-list.js';
import { processSummary, processSummaryPage } from './shared/schemas.js';

export const listBpmnProcesses = definePages({
  operationID: 'ListBpmnProcesses',
  path: '/projects/{projectID}/bpmn/processes',
  role: 'viewer',
  summary: 'List processes',
  description: 'Deployed processes with all their versions, by id.',
  filters: processFilters,
  item: processSummary,
  page: processSummaryPage,
}).rows({
  page: ({ params, context }, page, filter) => listProcesses(context.store, params.projectID, filter, page),
  toItem: (process: ProcessSummary) => ({
    ...process,
    processName: process.processName ?? process.processID,
    hasSuspendedDefinition: process.suspendedVersionCount > 0,
  }),
});
