import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';

/** The newest version of a process; undefined where it was never deployed. */
export async function newestVersion(
  projectID: string,
  processID: string,
  signal: AbortSignal,
): Promise<Schemas['BpmnProcessVersion'] | undefined> {
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
