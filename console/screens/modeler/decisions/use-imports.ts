/**
 * The decision files that an edited one imports: those of the folder, and otherwise, as the host takes them, the newest of each
 * namespace in the project.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FolderFile } from '../../../features/modeler/files/folder-file.js';
import { namespaceOf, namespacesImportedBy } from '../../../features/modeler/files/folder.js';
import type { FileKind } from '../../../features/modeler/files/kinds.js';
import { api, unwrap } from '../../../frame/api/client.js';
import { useProject } from '../../../frame/project/project.js';
import { useFolder } from '../folder/use-folder.js';

const PAGE_SIZE = 100;
/** Imports are searched in the newest files. */
const MAX_PAGES = 5;

const none: readonly string[] = [];

/** @returns the texts; undefined while they are loaded. One that is not found is a problem that the compiler reports. */
export function useImports(kind: FileKind, text: string): readonly string[] | undefined {
  const { id: projectID } = useProject();
  const { files, isPending } = useFolder();
  const wanted = useMemo(() => (kind === 'DMN' ? namespacesImportedBy(text) : none), [kind, text]);
  const isImporting = wanted.length > 0;
  const folder = useMemo(() => (isImporting ? decisionsIn(files, text) : undefined), [isImporting, files, text]);
  const found = useQuery({
    queryKey: [projectID, 'imports', ...wanted],
    queryFn: ({ signal }) => readProject(projectID, wanted, signal),
    enabled: isImporting,
  });
  // Another list with the same texts changes nothing.
  const texts = JSON.stringify(importedFiles(wanted, new Map([...(found.data ?? []), ...(folder ?? [])])));
  const imported = useMemo(() => JSON.parse(texts) as readonly string[], [texts]);
  if (!isImporting) return none;
  return isPending || found.isPending ? undefined : imported;
}

/** By their namespaces, without the edited file. */
function decisionsIn(files: readonly FolderFile[], edited: string): Map<string, string> {
  const others = files.filter(({ kind, text }) => kind === 'DMN' && text !== edited);
  return new Map(others.map(({ text }) => [namespaceOf(text), text]));
}

async function readProject(
  projectID: string,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const missing = new Set(wanted);
  for (let page = 1; page <= MAX_PAGES && missing.size > 0; page += 1) {
    const { data, pagination } = await unwrap(
      api.GET('/projects/{projectID}/dmn/definitions/latest', {
        params: { path: { projectID }, query: { page, pageSize: PAGE_SIZE } },
        signal,
      }),
    );
    for (const listed of data) {
      const { xml } = listed.xmlOmitted ? await readFile(projectID, listed.id, signal) : listed;
      const namespace = namespaceOf(xml);
      if (!files.has(namespace)) files.set(namespace, xml);
    }
    // Imported files import others.
    for (const namespace of missing)
      for (const further of namespacesImportedBy(files.get(namespace) ?? '')) missing.add(further);
    for (const namespace of files.keys()) missing.delete(namespace);
    if (page >= pagination.totalPages) break;
  }
  return files;
}

/** One that its page lists without XML. */
function readFile(projectID: string, definitionID: string, signal: AbortSignal) {
  const path = { projectID, definitionID };
  return unwrap(api.GET('/projects/{projectID}/dmn/definitions/{definitionID}', { params: { path }, signal }));
}

function importedFiles(wanted: readonly string[], files: ReadonlyMap<string, string>): string[] {
  const reached = new Set(wanted);
  // A set is walked with what is added to it.
  for (const namespace of reached)
    for (const further of namespacesImportedBy(files.get(namespace) ?? '')) reached.add(further);
  return [...reached].flatMap((namespace) => files.get(namespace) ?? []);
}
