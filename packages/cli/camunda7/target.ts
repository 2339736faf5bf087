/** The host that instances move to. */
import { ApiError, unwrap, type Schemas } from '@perdure/client';
import { versionsOf, type Host } from '../host.js';
import { untilApplied } from '../outcome.js';
import { SYSTEM, type MappedInstance } from './mapper.js';

export type ImportResult =
  | { kind: 'imported'; workflowID: string; warnings: readonly string[] }
  /** A dry run found nothing against it. */
  | { kind: 'possible'; warnings: readonly string[] }
  /** The source was imported before. */
  | { kind: 'present'; workflowID: string; isCanceled: boolean }
  | { kind: 'refused'; reasons: readonly string[] };

export type TakenBack =
  | { kind: 'canceled' }
  /** Has done or received something. */
  | { kind: 'moved' }
  | { kind: 'ended'; status: string }
  | { kind: 'erased' };

export interface Target {
  /** Newest first; empty if there is no such process. */
  versions(processID: string): Promise<number[]>;
  import(mapped: MappedInstance, version: number, dryRun: boolean): Promise<ImportResult>;
  /** No effect on an instance that has ended. */
  suspend(workflowID: string): Promise<void>;
  /** Cancels it unless something has happened since the import. */
  takeBack(workflowID: string): Promise<TakenBack>;
  /** The first facts after the import. */
  factsSince(workflowID: string): Promise<string[]>;
  /** How many instances of the process came from the other engine; undefined if they are too many to be counted. */
  count(processID: string): Promise<number | undefined>;
}

/** Older ones would take hours to try. */
const MAX_VERSIONS = 20;
const MAX_REASONS = 5;
const MAX_FACTS = 5;
/** Not of one instance: the account, its role, or the version. */
const CONCERNS_ALL: ReadonlySet<number> = new Set([401, 403, 404]);

export function targetOf(host: Host, reason: string | undefined): Target {
  const { client, projectID } = host;
  const because = reason === undefined ? {} : { reason };
  const pathOf = (workflowID: string) => ({ projectID, workflowID });
  const statusOf = async (workflowID: string) => {
    const params = { path: pathOf(workflowID) };
    const found = client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', { params });
    return (await unwrap(found)).status;
  };
  return {
    versions: (processID) => newestVersions(host, processID),
    async import({ given, processID }, version, dryRun) {
      try {
        const asked = client.POST('/projects/{projectID}/bpmn/instances/import', {
          params: { path: { projectID } },
          body: { ...given, processId: processID, version, ...because, ...(dryRun && { dryRun }) },
        });
        const { workflowID, warnings } = await unwrap<Schemas['BpmnImportResult']>(asked);
        if (workflowID === undefined) return { kind: 'possible', warnings };
        if ((await asked).response.status === 201) return { kind: 'imported', workflowID, warnings };
        return { kind: 'present', workflowID, isCanceled: (await statusOf(workflowID)) === 'CANCELED' };
      } catch (error) {
        if (!(error instanceof ApiError) || error.isTemporary || CONCERNS_ALL.has(error.status)) throw error;
        return { kind: 'refused', reasons: reasonsOf(error) };
      }
    },
    async suspend(workflowID) {
      const params = { path: pathOf(workflowID) };
      await unwrap<unknown>(
        client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/suspend', { params, body: because }),
      ).catch((error: unknown) => {
        if (!(error instanceof ApiError && (error.status === 404 || error.status === 409))) throw error;
      });
    },
    async takeBack(workflowID) {
      try {
        const query = { onlyAsImported: true, ...because };
        await unwrap<unknown>(
          client.DELETE('/projects/{projectID}/bpmn/instances/{workflowID}', {
            params: { path: pathOf(workflowID), query, header: untilApplied },
          }),
        );
        return { kind: 'canceled' };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 404) return { kind: 'erased' };
        if (error.status === 412) return { kind: 'moved' };
        if (error.status !== 409) throw error;
        const status = await statusOf(workflowID);
        return status === 'RUNNING' ? { kind: 'canceled' } : { kind: 'ended', status };
      }
    },
    async factsSince(workflowID) {
      const params = { path: pathOf(workflowID), query: { page: 1, pageSize: 1 + MAX_FACTS } };
      const { data } = await unwrap<Schemas['BpmnFactPaginatedResponse']>(
        client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/replay/facts', { params }),
      );
      return data.slice(1).map(({ time, kind, nodeID }) => [time, kind, nodeID].filter(Boolean).join(' '));
    },
    async count(processId) {
      const params = { path: { projectID }, query: { processId, importedFrom: SYSTEM, pageSize: 1 } };
      const { pagination } = await unwrap<Schemas['BpmnInstancePaginatedResponse']>(
        client.GET('/projects/{projectID}/bpmn/instances', { params }),
      );
      return pagination.isTotalEstimate ? undefined : pagination.total;
    },
  };
}

async function newestVersions(host: Host, processID: string): Promise<number[]> {
  const found: number[] = [];
  try {
    for await (const { version } of versionsOf(host, processID)) {
      found.push(version);
      if (found.length === MAX_VERSIONS) break;
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  return found;
}

function reasonsOf({ message, details }: ApiError): string[] {
  const { issues = [] } = (details ?? {}) as { issues?: { path: string; message: string }[] };
  if (issues.length === 0) return [message];
  const more = issues.length - MAX_REASONS;
  const named = issues.slice(0, MAX_REASONS).map(({ path, message: text }) => `${path}: ${text}`);
  return more > 0 ? [...named, `and ${more} more`] : named;
}
