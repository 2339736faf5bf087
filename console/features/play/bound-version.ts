/** The version of a process that a call activity calls, as the host chooses it. */
import { api, unwrap } from '../../frame/api/client.js';
import type { WantedProcess } from './play-file.js';

/** A version with another tag costs a request each. */
const MAX_VERSIONS = 20;
const PAGE_SIZE = 100;
const MAX_PAGES = 10;

interface Version {
  definitionID: string;
  /** Of its file. */
  name: string;
}

/** A file that is not deployed calls the newest version also where its deployment would bind another. */
export function boundVersion(projectID: string, wanted: WantedProcess): Promise<Version | undefined> {
  const { id, binding, callerID } = wanted;
  if (binding.kind === 'versionTag') return taggedVersion(projectID, id, binding.versionTag);
  if (binding.kind === 'deployment' && callerID !== undefined) return versionDeployedWith(projectID, id, callerID);
  return newestVersion(projectID, id);
}

async function newestVersion(projectID: string, processID: string): Promise<Version | undefined> {
  const [newest] = await versionsOf(projectID, processID, 1);
  return newest && { definitionID: newest.id, name: newest.resourceName };
}

async function taggedVersion(projectID: string, processID: string, tag: string): Promise<Version | undefined> {
  for (const { id: definitionID, resourceName: name } of await versionsOf(projectID, processID, MAX_VERSIONS)) {
    const { versionTag } = await unwrap(
      api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}', {
        params: { path: { projectID, definitionID } },
      }),
    );
    if (versionTag === tag) return { definitionID, name };
  }
  return undefined;
}

/** Newest first. */
async function versionsOf(projectID: string, processID: string, pageSize: number) {
  const { data } = await unwrap(
    api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', {
      params: { path: { projectID, processID }, query: { pageSize } },
    }),
  );
  return data;
}

/** In the deployment that made the version with the call activity. */
async function versionDeployedWith(
  projectID: string,
  processID: string,
  callerID: string,
): Promise<Version | undefined> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data, pagination } = await unwrap(
      api.GET('/projects/{projectID}/bpmn/deployments', {
        params: { path: { projectID }, query: { page, pageSize: PAGE_SIZE } },
      }),
    );
    for (const { files } of data) {
      const processes = files.flatMap((file) =>
        (file.processes ?? []).map((process) => ({ ...process, name: file.name })),
      );
      if (!processes.some(({ definitionID, state }) => definitionID === callerID && state === 'CREATED')) continue;
      const called = processes.find((process) => process.processID === processID);
      return called?.definitionID === undefined ? undefined : { definitionID: called.definitionID, name: called.name };
    }
    if (page >= pagination.totalPages) break;
  }
  return undefined;
}
