/** The file that the modeler opens: a draft, a copy of a deployed file, or a blank one; with earlier unsaved edits. */
import { api, ApiProblem, problemOf, unwrap, type Schemas } from '../../frame/api/client.js';
import { sourceOf, type Source } from '../../features/modeler/files/addresses.js';
import { blankFile } from '../../features/modeler/files/blank.js';
import { deployedName, kindOf, type FileKind } from '../../features/modeler/files/kinds.js';
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
  kind: FileKind;
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
  const file = await readFile(projectID, sourceOf(resourceID), signal).catch((error: unknown) => {
    // Edits outlive a draft that was deleted.
    if (copy === undefined || !(error instanceof ApiProblem && error.code === 'NOT_FOUND')) throw error;
    return { name: copy.name, xml: copy.base ?? '', draft: undefined };
  });
  // Edits can be a text that has no kind.
  const kind = kindOf(file.name, file.xml);
  if (copy === undefined || (copy.xml === file.xml && copy.name === file.name))
    return { ...file, kind, keptAt: undefined, resourceID, copyKey, subject };
  // The copy knows which text it was made from. If the draft has changed since, saving says so.
  const draft = file.draft && { ...file.draft, xml: copy.base ?? file.draft.xml, tag: copy.tag ?? file.draft.tag };
  return { name: copy.name, kind, xml: copy.xml, draft, keptAt: copy.at, resourceID, copyKey, subject };
}

type File = Pick<OpenedFile, 'name' | 'xml' | 'draft'>;

async function readFile(projectID: string, source: Source, signal: AbortSignal): Promise<File> {
  if (source.from === 'blank') return newFile(source.kind);
  if (source.from === 'decisions') return copyOfDecisions(projectID, source.definitionID, signal);
  if (source.from === 'form') return copyOfForm(projectID, source, signal);
  const { isDeployed, ...draft } = await readDraft(projectID, source.resourceID, signal);
  return { name: draft.name, xml: draft.xml, draft: isDeployed ? undefined : draft };
}

const NAMES: Readonly<Record<FileKind, string>> = { BPMN: 'process', DMN: 'decisions', FORM: 'form' };

function newFile(kind: FileKind): File {
  const { name, text } = blankFile(kind, `${NAMES[kind]}-${Math.random().toString(36).slice(2, 8)}`);
  return { name, xml: text, draft: undefined };
}

async function copyOfDecisions(projectID: string, definitionID: string, signal: AbortSignal): Promise<File> {
  const path = { projectID, definitionID };
  const { name, xml } = await unwrap(
    api.GET('/projects/{projectID}/dmn/definitions/{definitionID}', { params: { path }, signal }),
  );
  return { name: deployedName(name, 'DMN'), xml, draft: undefined };
}

async function copyOfForm(
  projectID: string,
  { formID, version }: { formID: string; version: number },
  signal: AbortSignal,
): Promise<File> {
  const params = { path: { projectID, formID }, query: { version } };
  const { schema } = await unwrap(api.GET('/projects/{projectID}/bpmn/forms/{formID}', { params, signal }));
  return { name: deployedName(formID, 'FORM'), xml: `${JSON.stringify(schema, null, 2)}\n`, draft: undefined };
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
