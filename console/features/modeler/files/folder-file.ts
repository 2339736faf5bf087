/** The files of a project as the modeler keeps them. */
import type { FileKind } from './kinds.js';

/** A file as it is in this browser, saved or not. */
export interface FolderFile {
  /** As in the address of the modeler. */
  resourceID: string;
  name: string;
  kind: FileKind;
  text: string;
  isUnsaved: boolean;
  /** Whether the host has it as a draft. */
  isDraft: boolean;
}

/** In the order of names. Those of the same name are in the order of their addresses, so that the list keeps its order. */
export function inOrder(files: Iterable<FolderFile>): FolderFile[] {
  const rank = ({ name, resourceID }: FolderFile) => `${name.toLowerCase()}\n${resourceID}`;
  return [...files].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
}
