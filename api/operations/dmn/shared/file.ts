/** Compiles an incoming DMN file together with the project files that it imports, or refuses it. */
import type { DefinitionContent } from '@perdure/dmn/definition-content.js';
import { filesByNamespace } from '../../../../store/decisions/decisions.js';
import { problem, type Problem } from '../../../contract/problem.js';
import type { Turns } from '@perdure/lib/fair-turns.js';
import { inThread } from '@perdure/dmn/threads.js';
import type { Namespaces, WorkDone } from '@perdure/dmn/work.js';
import type { Database } from '../../../../store/sql/database.js';

/** Files that one file may import, directly or indirectly. */
const MAX_IMPORTED = 50;

export type CompiledFile = { content: DefinitionContent; warnings: WorkDone['problems'] };

/** Compiles a file. Imports are resolved in the project only: the newest file of each namespace. */
export async function compileFile(
  store: Database,
  projectID: string,
  xml: string,
  turns: Turns,
): Promise<CompiledFile | Problem<'INVALID_MODEL' | 'PAYLOAD_TOO_LARGE'>> {
  const work = await compileWithImports(store, projectID, { xml, together: new Map() }, turns);
  return work.content === undefined ? unreadable(work) : { content: work.content, warnings: work.problems };
}

export interface FileWithOthers {
  readonly xml: string;
  /** Files that are deployed with this one, by namespace: they come before those of the project. */
  readonly together: ReadonlyMap<string, string>;
}

export async function compileWithImports(
  store: Database,
  projectID: string,
  file: FileWithOthers,
  turns: Turns,
): Promise<WorkDone> {
  const imported = await importsOf(store, projectID, file, turns);
  return inThread({ kind: 'compile', xml: file.xml, imported }, turns);
}

/** Reads the file in a thread: a hostile one takes a tenth of a second. */
export async function namespacesOf(xml: string, turns: Turns): Promise<Namespaces> {
  return (await inThread({ kind: 'namespaces', xml }, turns)).namespaces ?? { own: undefined, imported: [] };
}

async function importsOf(
  store: Database,
  projectID: string,
  { xml, together }: FileWithOthers,
  turns: Turns,
): Promise<string[]> {
  const found = new Map<string, string>();
  let wanted = (await namespacesOf(xml, turns)).imported;
  while (wanted.length > 0 && found.size < MAX_IMPORTED) {
    const given = wanted.filter((namespace) => together.has(namespace));
    const missing = wanted.filter((namespace) => !together.has(namespace));
    const files = [
      ...given.map((namespace) => ({ namespace, xml: together.get(namespace)! })),
      ...(missing.length > 0 ? await filesByNamespace(store, projectID, missing) : []),
    ];
    for (const file of files) found.set(file.namespace, file.xml);
    const further = new Set<string>();
    for (const file of files)
      for (const namespace of (await namespacesOf(file.xml, turns)).imported) further.add(namespace);
    wanted = [...further].filter((namespace) => !found.has(namespace));
  }
  return [...found.values()];
}

/** The problem for a text that is not a DMN file or exceeds a limit. */
export function unreadable({ refused, problems }: WorkDone): Problem<'INVALID_MODEL' | 'PAYLOAD_TOO_LARGE'> {
  const message = problems[0]?.message ?? 'The file cannot be read';
  if (refused === 'TOO_LARGE') return problem('PAYLOAD_TOO_LARGE', message);
  return problem('INVALID_MODEL', message, { details: { errors: problems, warnings: [] } });
}
