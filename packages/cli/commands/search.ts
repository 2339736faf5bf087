import { printable } from '@perdure/lib/trust/printable.js';
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { oneOf, statuses, wholeNumber } from '../values.js';
import { definitionOf } from '../host.js';
import { counted, show, table } from '../terminal.js';

export const search: Command = {
  name: 'search',
  role: 'viewer',
  operands: 'PROCESS EXPRESSION',
  summary: 'Find instances by a FEEL expression over their variables',
  details: 'Newest first. PROCESS is the id of a process, or a definitionID.',
  examples: [`perdure search order 'total > 1000 and customer.country = "CH"' --status running`],
  minOperands: 2,
  maxOperands: 2,
  options: {
    status: {
      type: 'string',
      value: 'STATUS',
      words: statuses,
      help: 'only instances with this status: RUNNING, COMPLETED, FAILED, or CANCELED',
    },
    version: { type: 'string', value: 'NUMBER', help: 'version of the process (default: the newest)' },
    'created-after': { type: 'string', value: 'TIME', help: 'only instances created after this RFC 3339 time' },
    'created-before': { type: 'string', value: 'TIME', help: 'only instances created before this RFC 3339 time' },
    limit: { type: 'string', value: 'NUMBER', help: 'maximum number of results (default 20)' },
  },
  async run(invocation) {
    const { terminal, operands, signal } = invocation;
    const [named, predicate] = operands as [string, string];
    const limit = wholeNumber(invocation, 'limit', 1, 100_000) ?? 20;
    const status = oneOf(invocation, 'status', statuses);
    const version = wholeNumber(invocation, 'version', 1, 999_999_999);
    const createdAfter = invocation.option('created-after');
    const createdBefore = invocation.option('created-before');
    const host = await invocation.host();
    const definitionID = await definitionOf(host, named, version);
    const found: Schemas['BpmnInstanceSearchMatch'][] = [];
    const counts = { scanned: 0, predicateErrors: 0 };
    let firstError: string | undefined;
    let cursor: string | undefined;
    do {
      const body = {
        definitionID,
        predicate,
        limit: Math.min(limit - found.length, MAX_PER_PAGE),
        ...(status && { status }),
        ...(createdAfter !== undefined && { createdAfter }),
        ...(createdBefore !== undefined && { createdBefore }),
        ...(cursor !== undefined && { cursor }),
      };
      const page = await unwrap<Schemas['BpmnInstanceSearchResponse']>(
        host.client.POST('/projects/{projectID}/bpmn/instances/search', {
          params: { path: { projectID: host.projectID } },
          body,
          signal,
        }),
      );
      found.push(...page.matches);
      counts.scanned += page.scanned;
      counts.predicateErrors += page.predicateErrors;
      firstError ??= page.firstPredicateError;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && found.length < limit);
    const isComplete = cursor === undefined;
    show(
      terminal,
      { matches: found, ...counts, isComplete, ...(firstError !== undefined && { firstPredicateError: firstError }) },
      () => [
        ...table(
          ['WORKFLOW ID', 'STATUS', 'CREATED', 'VARIABLES'],
          found.map((one) => [one.workflowID, one.status, one.createdAt, JSON.stringify(one.variables)]),
        ),
        `${found.length} found in ` +
          `${counted(counts.scanned, 'instance')}${isComplete ? '' : '; there may be more: raise --limit'}`,
        ...(firstError === undefined
          ? []
          : [`The expression failed for ${counts.predicateErrors} of them, first with: ${printable(firstError)}`]),
      ],
    );
    return exitCodes.done;
  },
};

/** The most matches that the host returns at once. */
const MAX_PER_PAGE = 200;
