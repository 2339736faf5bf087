import { z } from 'zod';
import { listVersions, versionFilters } from '../../../store/definitions/definitions.js';
import type { ProcessVersion } from '../../../store/definitions/definitions.js';
import { defineOperation } from '../../commands/define-operation.js';
import { describeList, filterOf, queryFilters } from '../../commands/list-filters.js';
import { pageResponse } from '../../commands/page.js';
import { modelIdentifier, pageQuery } from '../../contract/schemas.js';
import { optional, time, toSuspension } from '../../contract/wire.js';
import { toPartialSuspension } from '../suspension/shared/entries.js';
import { processVersionPage } from './shared/schemas.js';
import type { processVersion } from './shared/schemas.js';

export const listBpmnProcessVersions = defineOperation({
  operationID: 'ListBpmnProcessVersions',
  method: 'GET',
  path: '/projects/{projectID}/bpmn/processes/{processID}/versions',
  role: 'viewer',
  summary: 'List the versions of a process',
  description: 'Newest first.',
  request: {
    params: { processID: modelIdentifier },
    query: z.strictObject({ ...queryFilters(versionFilters), ...pageQuery }),
  },
  responses: {
    200: { description: 'Page of versions; empty if the process does not exist', schema: processVersionPage },
  },
  problems: [],
  list: describeList(versionFilters),
}).handle(async ({ params, query, context }) => {
  const filter = filterOf(versionFilters, query);
  const versions = await listVersions(context.store, params.projectID, params.processID, filter, query);
  return { status: 200, body: pageResponse(query, versions, toVersion) };
});

function toVersion(found: ProcessVersion): z.output<typeof processVersion> {
  const { definitionID, resourceID, resourceName, processID, version, createdAt, runningCount, totalCount } = found;
  return {
    id: definitionID,
    resourceID,
    resourceName,
    processID,
    processName: optional(found.processName),
    version,
    createdAt: time(createdAt),
    runningCount,
    totalCount,
    ...toSuspension(found),
    ...toPartialSuspension(found),
  };
}
