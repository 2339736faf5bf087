import { lists, unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../command.js';
import { filterOptions, filterQuery } from '../lists/filters.js';
import { asLines, writeLines } from '../lists/lines.js';
import { pageOptions, pageQuery, showPage } from '../lists/paging.js';
import { WrongUse } from '../wrong-use.js';

const entries = lists.ListAuditEntries;
const organizationEntries = lists.ListOrganizationAuditEntries;

type Entry = Schemas['AuditEntry'];

const columns = {
  TIME: (entry: Entry) => entry.time,
  ACTOR: (entry: Entry) => entry.actor,
  OPERATION: (entry: Entry) => entry.operation,
  OUTCOME: (entry: Entry) => entry.outcome,
  SUBJECT: (entry: Entry) => entry.executionKey ?? entry.workflowID ?? entry.definitionID ?? entry.subject,
  REASON: (entry: Entry) => entry.reason,
};

export const audit: Command = {
  name: 'audit',
  role: 'admin',
  operands: '',
  summary: 'List the audit log, newest first',
  details:
    'One line per change that a request made, with its actor and the reason that it gave. With --organization: of all projects, deleted ones included, for system admins.',
  examples: [
    'perdure audit --business-id order-17 --operation CompleteBpmnUserTask',
    'perdure audit --instance 9b2f6c1e-4f0a-4a53-8c5e-0d5a3c2b7e11',
    'perdure audit --actor ann --since 2026-01-01T00:00:00Z --all > changes.ndjson',
    'perdure audit --organization --operation CreateProject,DeleteProject',
  ],
  minOperands: 0,
  maxOperands: 0,
  options: {
    ...filterOptions(organizationEntries),
    ...pageOptions,
    organization: { type: 'boolean', help: 'changes of all projects, deleted ones included (system admins)' },
    all: { type: 'boolean', help: 'every change as one line of JSON each, instead of a page' },
  },
  async run(invocation) {
    if (invocation.flag('organization')) return listOrganization(invocation);
    if (invocation.option('of-project') !== undefined)
      throw new WrongUse('--of-project is for --organization. Choose a project with --project.');
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
    showPage<Entry>(terminal, answer, 'change', columns);
    return exitCodes.done;
  },
};

async function listOrganization(invocation: Invocation): Promise<number> {
  const { terminal, flag, signal } = invocation;
  const query = { ...filterQuery(organizationEntries, invocation), ...pageQuery(invocation) };
  const { client } = await invocation.host();
  if (flag('all')) {
    await writeLines(terminal, await unwrap(client.GET('/audit', { params: { query }, signal, ...asLines })));
    return exitCodes.done;
  }
  const answer = await unwrap<Schemas['OrganizationAuditEntryPaginatedResponse']>(
    client.GET('/audit', { params: { query } }),
  );
  showPage<Schemas['OrganizationAuditEntry']>(terminal, answer, 'change', {
    PROJECT: ({ projectID }) => projectID,
    ...columns,
  });
  return exitCodes.done;
}
