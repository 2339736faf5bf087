import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { filterOptions, filterQuery } from '../lists/filters.js';
import { asLines, writeLines } from '../lists/lines.js';
import { pageOptions, pageQuery, showPage } from '../lists/paging.js';

const entries = lists.ListAuditEntries;

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
    ...filterOptions(entries),
    ...pageOptions,
    all: { type: 'boolean', help: 'every change as one line of JSON each, instead of a page' },
  },
  async run(invocation) {
    const { terminal, flag, signal } = invocation;
    const query = { ...filterQuery(entries, invocation), ...pageQuery(invocation) };
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
