/** Reads the folder of a project: the drafts on the host, with the unsaved edits that this browser keeps. */
import { api, unwrap } from '../../../frame/api/client.js';
import { fileName } from '../../play/project-files.js';
import type { PlayFile, Wanted } from '../../play/play-file.js';
import { readCopies } from '../copies/local-copies.js';
import type { FolderFile } from './folder-file.js';
import { fileFor } from './folder.js';
import { kindOf } from './kinds.js';

export interface Folder {
  files: readonly FolderFile[];
  /** Whether the project has drafts that are not part of it. */
  hasMore: boolean;
}

const PAGE_SIZE = 20;
/** Of the newest drafts: about as much as one deployment takes. */
const MAX_PAGES = 5;
const MAX_CHARACTERS = 20_000_000;

/** @param owner the person whose edits they are */
export async function readFolder(owner: { projectID: string; subject: string }, signal: AbortSignal): Promise<Folder> {
  const { drafts, hasMore } = await readDrafts(owner.projectID, signal);
  const copies = await readCopies(owner.subject, owner.projectID, Date.now());
  const files = new Map<string, FolderFile>();
  for (const { id, name, xml } of drafts) files.set(id, asFile(id, { name, xml }, { isUnsaved: false, isDraft: true }));
  for (const [id, copy] of copies) {
    const draft = files.get(id);
    // A page that closes right after saving leaves the copy of what was saved.
    if (draft?.text === copy.xml && draft.name === copy.name) continue;
    files.set(id, asFile(id, copy, { isUnsaved: true, isDraft: draft !== undefined || copy.base !== undefined }));
  }
  return { files: [...files.values()], hasMore };
}

function asFile(
  resourceID: string,
  { name, xml }: { name: string; xml: string },
  is: Pick<FolderFile, 'isUnsaved' | 'isDraft'>,
): FolderFile {
  return { resourceID, name, kind: kindOf(name, xml), text: xml, ...is };
}

async function readDrafts(projectID: string, signal: AbortSignal) {
  const drafts: { id: string; name: string; xml: string }[] = [];
  let characters = 0;
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await unwrap(
      api.GET('/projects/{projectID}/bpmn/resources', {
        params: { path: { projectID }, query: { isDeployed: false, page, pageSize: PAGE_SIZE } },
        signal,
      }),
    );
    for (const listed of data) {
      const draft = listed.xmlOmitted ? await readDraft(projectID, listed.id, signal) : listed;
      drafts.push(draft);
      characters += draft.xml.length;
    }
    if (page >= pagination.totalPages) return { drafts, hasMore: false };
    if (page >= MAX_PAGES || characters > MAX_CHARACTERS) return { drafts, hasMore: true };
  }
}

/** One that its page lists without XML. */
function readDraft(projectID: string, resourceID: string, signal: AbortSignal) {
  const path = { projectID, resourceID };
  return unwrap(api.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params: { path }, signal }));
}

/** The file of the folder that a play or a scenario asks for. */
export function playFileIn(files: readonly FolderFile[], wanted: Wanted): PlayFile | undefined {
  const found = fileFor(wanted, files);
  return found && { name: fileName(found.name, wanted.kind === 'process' ? '.bpmn' : '.dmn'), text: found.text };
}
