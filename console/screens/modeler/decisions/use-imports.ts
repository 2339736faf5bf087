/** The decision files that an edited one imports, as the host takes them: the newest of each namespace in the project. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FileKind } from '../../../features/modeler/files/kinds.js';
import { api, unwrap } from '../../../frame/api/client.js';
import { useProject } from '../../../frame/project/project.js';

const PAGE_SIZE = 100;
/** Imports are searched in the newest files. */
const MAX_PAGES = 5;

const none: readonly string[] = [];

/** @returns the texts; undefined while they are loaded. One that is not found is a problem that the compiler reports. */
export function useImports(kind: FileKind, text: string): readonly string[] | undefined {
  const { id: projectID } = useProject();
  const wanted = useMemo(() => (kind === 'DMN' ? namespacesImportedBy(text) : none), [kind, text]);
  const found = useQuery({
    queryKey: [projectID, 'imports', ...wanted],
    queryFn: ({ signal }) => readImports(projectID, wanted, signal),
    enabled: wanted.length > 0,
  });
  if (wanted.length === 0 || found.isError) return none;
  return found.data;
}

async function readImports(projectID: string, wanted: readonly string[], signal: AbortSignal): Promise<string[]> {
  const files = new Map<string, string>();
  const missing = new Set(wanted);
  for (let page = 1; page <= MAX_PAGES && missing.size > 0; page += 1) {
    const { data, pagination } = await unwrap(
      api.GET('/projects/{projectID}/dmn/definitions/latest', {
        params: { path: { projectID }, query: { page, pageSize: PAGE_SIZE } },
        signal,
      }),
    );
    for (const { xml } of data) {
      const namespace = rootOf(xml)?.getAttribute('namespace') ?? '';
      if (!files.has(namespace)) files.set(namespace, xml);
    }
    // Imported files import others.
    for (const namespace of missing)
      for (const further of namespacesImportedBy(files.get(namespace) ?? '')) missing.add(further);
    for (const namespace of files.keys()) missing.delete(namespace);
    if (page >= pagination.totalPages) break;
  }
  return importedFiles(wanted, files);
}

function importedFiles(wanted: readonly string[], files: ReadonlyMap<string, string>): string[] {
  const reached = new Set(wanted);
  // A set is walked with what is added to it.
  for (const namespace of reached)
    for (const further of namespacesImportedBy(files.get(namespace) ?? '')) reached.add(further);
  return [...reached].flatMap((namespace) => files.get(namespace) ?? []);
}

function namespacesImportedBy(xml: string): readonly string[] {
  if (!/<(?:[\w.-]+:)?import[\s/>]/.test(xml)) return none;
  const imports = Array.from(rootOf(xml)?.children ?? []).filter(({ localName }) => localName === 'import');
  return imports.map((element) => element.getAttribute('namespace') ?? '').toSorted();
}

function rootOf(xml: string): Element | undefined {
  return new DOMParser().parseFromString(xml, 'application/xml').documentElement;
}
