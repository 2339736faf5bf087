/** Files of the project that a play asks for: the versions that a host would call. */
import { ApiProblem, api, unwrap } from '../../frame/api/client.js';
import { boundVersion } from './bound-version.js';
import type { PlayFile, Wanted, WantedProcess } from './play-file.js';

/** How many decisions with a similar id are searched. */
const PAGE_SIZE = 100;

/** @returns undefined if the project has no such process or decision */
export async function findFile(projectID: string, wanted: Wanted): Promise<PlayFile | undefined> {
  try {
    return await (wanted.kind === 'process'
      ? fileWithProcess(projectID, wanted)
      : fileWithDecision(projectID, wanted.id));
  } catch (error) {
    // A model computes ids, and the API refuses those that no process can have.
    if (error instanceof ApiProblem && (error.status === 400 || error.status === 404)) return undefined;
    throw error;
  }
}

async function fileWithProcess(projectID: string, wanted: WantedProcess): Promise<PlayFile | undefined> {
  const version = await boundVersion(projectID, wanted);
  if (version === undefined) return undefined;
  const { definitionID, name } = version;
  const text = await unwrap(
    api.GET('/projects/{projectID}/bpmn/definitions/{definitionID}/xml', {
      params: { path: { projectID, definitionID } },
      parseAs: 'text',
    }),
  );
  return { name: fileName(name, '.bpmn'), text, definitionID };
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
