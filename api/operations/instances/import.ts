import { randomUUID } from 'node:crypto';
import type { ImportIssue } from '@perdure/engine/contract/imported.js';
import { currentFlags } from '@perdure/engine/state/flags.js';
import { findImported, writeImport } from '../../../store/imports/import.js';
import { defineOperation } from '../../commands/define-operation.js';
import { refusalProblem } from '../../commands/refusal.js';
import { notFound, problem, type Problem } from '../../contract/problem.js';
import { importBody } from '../../imports/outline.js';
import { importResult } from '../../imports/schemas.js';
import { draftInThread, readImport } from '../../imports/threads.js';
import { versionsFor } from '../../imports/versions.js';

const MAX_NAMED = 3;

export const importBpmnInstance = defineOperation({
  operationID: 'ImportBpmnInstance',
  method: 'POST',
  path: '/projects/{projectID}/bpmn/instances/import',
  role: 'admin',
  records: {
    entry: 'within',
    says: ({ body }) => ({
      names: body.names,
      details: { importedFrom: body.source.system, importedFromID: body.source.id },
    }),
  },
  summary: 'Import a running instance',
  description:
    'Takes over an instance that runs in another system, with all that it calls, or nothing. Its history begins with the import; from there on it is an instance like any other. ' +
    'A token waits where its node waits; at any other node it is placed as by a modification. Input mappings are not evaluated again. Timers whose time has passed fire at once. ' +
    'The same `source` is imported once, whatever the body says: 200 has the instance. ' +
    'Everything is checked against the version before anything is written, and 400 lists all issues. ' +
    'A unique business id holds (409); a limit of instances does not, but the instance counts. `warnings` say what was not taken over.',
  request: { body: importBody },
  responses: {
    201: { description: 'Instance imported', schema: importResult },
    200: { description: 'Result of a dry run, or the instance that was imported before', schema: importResult },
  },
  problems: ['DEFINITION_SUSPENDED', 'BUSINESS_ID_TAKEN'],
  maxBodyBytes: 20 * 1024 * 1024,
  deadlineSeconds: 120,
}).handle(
  async ({ params: { projectID }, body, caller, audit, turns, context: { store } }) => {
    const { source, dryRun = false, businessId: businessID } = body;
    const before = await findImported(store, projectID, source);
    if (before !== undefined) return { status: 200, body: { workflowID: before, warnings: [] } };
    const found = await versionsFor(store, projectID, body);
    if (!found) return notFound(`project ${projectID} has no such version of a process`);
    const now = Date.now();
    const flags = currentFlags();
    const workflowID = randomUUID();
    const { processID, versions, graphs } = found;
    const work = { bytes: body.bytes, context: { workflowID, now, flags }, versions, graphs };
    const { issues, warnings, instances } = await draftInThread(work, turns);
    if (issues.length > 0) return invalid(issues);
    const outcome = await writeImport(store, {
      projectID,
      root: { workflowID, processID, businessID, source },
      definitionIDs: versions.map(({ definitionID }) => definitionID),
      instances,
      now,
      flags,
      importedBy: caller.subject,
      audit,
      dryRun,
    });
    switch (outcome.kind) {
      case 'imported':
        return dryRun ? { status: 200, body: { warnings } } : { status: 201, body: { workflowID, warnings } };
      case 'present':
        return { status: 200, body: { workflowID: outcome.workflowID, warnings: [] } };
      case 'calledPresent':
        return invalid([
          {
            path: 'called',
            message: `instance ${outcome.source.id} of ${outcome.source.system} has been imported as ${outcome.workflowID}`,
          },
        ]);
      case 'refused':
        return refusalProblem(outcome);
    }
  },
  { readBody: readImport },
);

function invalid(issues: readonly ImportIssue[]): Problem<'BAD_REQUEST'> {
  const named = issues.slice(0, MAX_NAMED).map(({ path, message }) => `${path}: ${message}`);
  const more = issues.length > MAX_NAMED ? `; and ${issues.length - MAX_NAMED} more` : '';
  return problem('BAD_REQUEST', `The instance cannot be imported: ${named.join('; ')}${more}`, { details: { issues } });
}
