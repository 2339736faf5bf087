/** Files of the project that a play asks for: the newest versions. */
import { ApiProblem, api, unwrap } from '../../frame/api/client.js';
import type { FileKind, PlayFile } from './play-file.js';

/** How many decisions with a similar id are searched. */
const PAGE_SIZE = 100;

/** @returns undefined if the project has no such process or decision */
export async function findFile(projectID: string, kind: FileKind, id: string): Promise<PlayFile | undefined> {
  try {
    return await (kind === 'process' ? fileWithProcess(projectID, id) : fileWithDecision(projectID, id));
  } catch (error) {
    // A model computes ids, and the API refuses those that no process can have.
    if (error instanceof ApiProblem && (error.status === 400 || error.status === 404)) return undefined;
    throw error;
  }
}

async function fileWithProcess(projectID: string, processID: string): Promise<PlayFile | undefined> {
  const {
    data: [newest],
  } = await unwrap(
    api.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', {
      params: { path: { projectID, processID }, query: { pageSize: 1 } },
    }),
  );
  if (newest === undefined) return undefined;
  const text = await unwrap(
    api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}/xml', {
      params: { path: { projectID, definitionID: newest.id } },
      parseAs: 'text',
    }),
  );
  return { name: fileName(newest.resourceName, '.bpmn'), text };
}

async function fileWithDecision(projectID: string, decisionID: string): Promise<PlayFile | undefined> {
  const { data } = await unwrap(
    api.GET('/projects/{projectID}/dmn/decisions', {
      params: { path: { projectID }, query: { q: decisionID, pageSize: PAGE_SIZE } },
    }),
  );
  const found = data.find((decision) => decision.decisionID === decisionID);
  if (found === undefined) return undefined;
  const { name, xml } = await unwrap(
    api.GET('/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}', {
      params: { path: { projectID, definitionsID: found.definitionsID } },
    }),
  );
  return { name: fileName(name, '.dmn'), text: xml };
}

/** Without folders, and with the ending by which the interpreter knows its kind. */
export function fileName(name: string, ending: '.bpmn' | '.dmn'): string {
  const base = name.split(/[\\/]/).at(-1) || 'model';
  return base.toLowerCase().endsWith(ending) ? base : `${base}${ending}`;
}
