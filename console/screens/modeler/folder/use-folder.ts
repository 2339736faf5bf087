/** The folder of the modeler: the drafts of the project, and the files that are open on the page. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import { inOrder, type FolderFile } from '../../../features/modeler/files/folder-file.js';
import { OpenFiles } from '../../../features/modeler/files/open-files.js';
import { readFolder, type Folder } from '../../../features/modeler/files/read-folder.js';
import { useSession } from '../../../frame/access/use-session.js';
import { useProject } from '../../../frame/project/project.js';

export interface FolderOnPage {
  /** With the edits of this page. */
  files: readonly FolderFile[];
  /** Whether the drafts are not known yet. */
  isPending: boolean;
  error: Error | null;
  hasMore: boolean;
  openFiles: OpenFiles;
  /** Whose edits they are. */
  subject: string;
  /** Counts additions of scenarios to the folder. */
  scenarioChanges: number;
  noteScenarios(): void;
  /**
   * Notes a saved draft, without reading all of them again.
   * @param file undefined if neither the host nor this browser has it
   */
  note(resourceID: string, file: FolderFile | undefined): void;
}

export const FolderContext = createContext<FolderOnPage | undefined>(undefined);

export function useFolder(): FolderOnPage {
  const found = useContext(FolderContext);
  if (found === undefined) throw new Error('useFolder: expected to be below the modeler, found none.');
  return found;
}

/** The folder of a page, for its context. */
export function useFolderOfPage(): FolderOnPage {
  const { id: projectID } = useProject();
  const session = useSession();
  const subject = 'subject' in session ? session.subject : '';
  const [openFiles] = useState(() => new OpenFiles());
  const [scenarioChanges, setChanges] = useState(0);
  const opened = useSyncExternalStore(openFiles.subscribe, openFiles.state);
  const queries = useQueryClient();
  const queryKey = useMemo(() => [projectID, 'modeler-folder', subject], [projectID, subject]);
  const { data, isPending, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => readFolder({ projectID, subject }, signal),
    // The texts of all drafts are too much to keep.
    gcTime: 0,
  });
  const note = useCallback(
    (resourceID: string, file: FolderFile | undefined) =>
      void queries.setQueryData<Folder>(queryKey, (folder) => folder && withFile(folder, resourceID, file)),
    [queries, queryKey],
  );
  const files = useMemo(() => {
    const all = new Map((data?.files ?? []).map((file) => [file.resourceID, file]));
    for (const [id, file] of opened.files) all.set(id, file);
    return inOrder(all.values());
  }, [data, opened.files]);
  return {
    files,
    isPending,
    error: data ? null : error,
    hasMore: data?.hasMore ?? false,
    openFiles,
    subject,
    scenarioChanges,
    noteScenarios: () => setChanges((count) => count + 1),
    note,
  };
}

function withFile(folder: Folder, resourceID: string, file: FolderFile | undefined): Folder {
  const others = folder.files.filter((other) => other.resourceID !== resourceID);
  return { ...folder, files: file ? [...others, file] : others };
}
