import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';

/** The version that the page of a process shows. */
export type ShownVersion = Schemas['BpmnProcessDefinition'] &
  Pick<Schemas['BpmnProcessVersion'], 'startsSuspension' | 'scheduledSuspension'>;

/**
 * The version that an address names, or the newest one of the process.
 * @returns undefined where the process was never deployed, or the version is one of another process
 */
export async function findVersion(
  projectID: string,
  processID: string,
  definitionID: string | undefined,
  signal: AbortSignal,
): Promise<ShownVersion | undefined> {
  if (definitionID === undefined) return newestVersion(projectID, processID, signal);
  const version = await unwrap(
    api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}', {
      params: { path: { projectID, definitionID } },
      signal,
    }),
  );
  return version.processID === processID ? version : undefined;
}

async function newestVersion(
  projectID: string,
  processID: string,
  signal: AbortSignal,
): Promise<ShownVersion | undefined> {
  const {
    data: [newest],
  } = await unwrap(
    api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', {
      params: { path: { projectID, processID }, query: { pageSize: 1 } },
      signal,
    }),
  );
  return newest;
}
