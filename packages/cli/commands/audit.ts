import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { asLines, writeLines } from '../lists/lines.js';
import { pageOptions, pageQuery, showPage } from '../lists/paging.js';

export const audit: Command = {
  name: 'audit',
  role: 'admin',
  operands: '',
  summary: 'List the audit log, newest first',
  details: 'One line per change that a request made, with its actor and the reason that it gave.',
  examples: [
    'perdure audit --business-id order-17 --operation CompleteBpmnUserTask',
    'perdure audit --instance 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11',
    'perdure audit --actor ann --since 2026-01-01T00:00:00Z --all > changes.ndjson',
  ],
  minOperands: 0,
  maxOperands: 0,
  options: {
    actor: { type: 'string', value: 'SUBJECT', help: 'only changes by this person or service account' },
    operation: { type: 'string', value: 'OPERATION', help: 'only these operation ids, separated by commas' },
    instance: { type: 'string', value: 'WORKFLOW_ID', help: 'only changes of this instance' },
    'business-id': { type: 'string', value: 'ID', help: 'only changes of instances with this business id' },
    definition: { type: 'string', value: 'DEFINITION_ID', help: 'only changes of this version of a process' },
    key: { type: 'string', value: 'EXECUTION_KEY', help: 'only changes of this job or user task' },
    batch: { type: 'string', value: 'BATCH_ID', help: 'only the batch and its items' },
    outcome: { type: 'string', value: 'OUTCOMES', help: 'only PENDING, APPLIED, or REJECTED, separated by commas' },
    since: { type: 'string', value: 'TIME', help: 'only changes from this time on, such as 2026-01-31T09:00:00Z' },
    until: { type: 'string', value: 'TIME', help: 'only changes up to this time' },
    ...pageOptions,
    all: { type: 'boolean', help: 'every change as one line of JSON each, instead of a page' },
  },
  async run(invocation) {
    const { terminal, option, flag, signal } = invocation;
    const query = {
      actor: option('actor'),
      operation: option('operation'),
      workflowID: option('instance'),
      businessId: option('business-id'),
      definitionID: option('definition'),
      executionKey: option('key'),
      batchID: option('batch'),
      outcome: option('outcome')?.toUpperCase(),
      since: option('since'),
      until: option('until'),
      ...pageQuery(invocation),
    };
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID }, query };
    if (flag('all')) {
      await writeLines(
        terminal,
        await unwrap(client.GET('/projects/{projectID}/audit', { params, signal, ...asLines })),
      );
      return exitCodes.done;
    }
    const answer = await unwrap<Schemas['AuditEntryPaginatedResponse']>(
      client.GET('/projects/{projectID}/audit', { params }),
    );
    showPage<Schemas['AuditEntry']>(terminal, answer, 'change', {
      TIME: (entry) => entry.time,
      ACTOR: (entry) => entry.actor,
      OPERATION: (entry) => entry.operation,
      OUTCOME: (entry) => entry.outcome,
      SUBJECT: (entry) => entry.executionKey ?? entry.workflowID ?? entry.definitionID ?? entry.subject,
      REASON: (entry) => entry.reason,
    });
    return exitCodes.done;
  },
};
