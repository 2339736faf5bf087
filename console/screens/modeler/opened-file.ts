/** The file that the modeler opens: a draft, a copy of a deployed file, or a blank one; with earlier unsaved edits. */
import { api, ApiProblem, problemOf, type Schemas } from '../../frame/api/client.js';
import { NEW } from '../../features/modeler/addresses.js';
import { blankFile } from '../../features/modeler/blank.js';
import { keyOfCopy, readCopy } from '../../features/modeler/copies/local-copies.js';

/** A draft as the host has it. */
export interface SavedDraft {
  resourceID: string;
  name: string;
  xml: string;
  tag: string | undefined;
}

export interface OpenedFile {
  name: string;
  /** The text to edit. */
  xml: string;
  /** Undefined for a file that is not a draft yet: a blank one, or a copy of a deployed one. */
  draft: SavedDraft | undefined;
  /** When the edits were made that this browser kept; undefined without edits. */
  keptAt: number | undefined;
  /** As in the address of the page. */
  resourceID: string;
  /** See `keyOfCopy`. */
  copyKey: string;
  /** The person who edits. */
  subject: string;
}

interface Wanted {
  projectID: string;
  subject: string;
  resourceID: string;
  /** Whether to leave out the edits that this browser kept. */
  isFresh: boolean;
}

export async function openFile(
  { projectID, subject, resourceID, isFresh }: Wanted,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const copyKey = keyOfCopy(subject, projectID, resourceID);
  const copy = isFresh ? undefined : await readCopy(copyKey, Date.now());
  const file = await (resourceID === NEW ? newFile() : readFile(projectID, resourceID, signal)).catch(
    (error: unknown) => {
      // Edits outlive a draft that was deleted.
      if (copy === undefined || !(error instanceof ApiProblem && error.code === 'NOT_FOUND')) throw error;
      return { name: copy.name, xml: copy.base ?? '', draft: undefined };
    },
  );
  if (copy === undefined || (copy.xml === file.xml && copy.name === file.name))
    return { ...file, keptAt: undefined, resourceID, copyKey, subject };
  // The copy knows which text it was made from. If the draft has changed since, saving says so.
  const draft = file.draft && { ...file.draft, xml: copy.base ?? file.draft.xml, tag: copy.tag ?? file.draft.tag };
  return { name: copy.name, xml: copy.xml, draft, keptAt: copy.at, resourceID, copyKey, subject };
}

type File = Pick<OpenedFile, 'name' | 'xml' | 'draft'>;

async function newFile(): Promise<File> {
  const name = `process-${Math.random().toString(36).slice(2, 8)}`;
  return { name: `${name}.bpmn`, xml: blankFile(name), draft: undefined };
}

async function readFile(projectID: string, resourceID: string, signal?: AbortSignal): Promise<File> {
  const { isDeployed, ...draft } = await readDraft(projectID, resourceID, signal);
  return { name: draft.name, xml: draft.xml, draft: isDeployed ? undefined : draft };
}

export async function readDraft(
  projectID: string,
  resourceID: string,
  signal?: AbortSignal,
): Promise<SavedDraft & { isDeployed: boolean }> {
  const { isDeployed, ...draft } = await tagged(
    api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', {
      params: { path: { projectID, resourceID } },
      ...(signal && { signal }),
    }),
  );
  return { ...draft, isDeployed };
}

/** @throws ApiProblem PRECONDITION_FAILED if the draft has changed since it was read */
export function updateDraft(projectID: string, draft: SavedDraft, body: { name: string; xml: string }) {
  return tagged(
    api.PUT('/projects/{projectID}/bpmn/resources/{resourceID}', {
      params: {
        path: { projectID, resourceID: draft.resourceID },
        header: draft.tag === undefined ? {} : { 'If-Match': draft.tag },
      },
      body,
    }),
  );
}

export function createDraft(projectID: string, body: { name: string; xml: string }) {
  return tagged(api.POST('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } }, body }));
}

/** A draft with its entity tag. */
async function tagged(
  call: Promise<{ data?: Schemas['BpmnResourceDetail']; error?: unknown; response: Response }>,
): Promise<SavedDraft & { isDeployed: boolean }> {
  const { data, error, response } = await call;
  if (data === undefined) throw problemOf(error, response);
  const { id: resourceID, name, xml, isDeployed } = data;
  return { resourceID, name, xml, isDeployed, tag: response.headers.get('ETag') ?? undefined };
}
