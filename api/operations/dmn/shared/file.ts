/** Compiles an incoming DMN file together with the project files that it imports, or refuses it. */
import type { Pool } from 'pg';
import { importedNamespaces } from '@perdure/dmn';
import type { DefinitionContent } from '@perdure/dmn/definition-content.js';
import { filesByNamespace } from '../../../../store/decisions/decisions.js';
import { problem, type Problem } from '../../../contract/problem.js';
import { inThread } from '@perdure/dmn/threads.js';
import type { WorkDone } from '@perdure/dmn/work.js';

/** Files that one file may import, directly or indirectly. */
const MAX_IMPORTED = 50;

export type CompiledFile = { content: DefinitionContent; warnings: WorkDone['problems'] };

/** Compiles a file. Imports are resolved in the project only: the newest file of each namespace. */
export async function compileFile(
  store: Pool,
  projectID: string,
  xml: string,
): Promise<CompiledFile | Problem<'INVALID_MODEL' | 'PAYLOAD_TOO_LARGE'>> {
  const work = await compileWithImports(store, projectID, xml, new Map());
  return work.content === undefined ? unreadable(work) : { content: work.content, warnings: work.problems };
}

/** @param together files that are deployed with this one, by namespace: they come before those of the project */
export async function compileWithImports(
  store: Pool,
  projectID: string,
  xml: string,
  together: ReadonlyMap<string, string>,
): Promise<WorkDone> {
  return inThread({ kind: 'compile', xml, imported: await importsOf(store, projectID, xml, together) });
}

async function importsOf(
  store: Pool,
  projectID: string,
  xml: string,
  together: ReadonlyMap<string, string>,
): Promise<string[]> {
  const found = new Map<string, string>();
  let wanted = importedNamespaces(xml);
  while (wanted.length > 0 && found.size < MAX_IMPORTED) {
    const given = wanted.filter((namespace) => together.has(namespace));
    const missing = wanted.filter((namespace) => !together.has(namespace));
    const files = [
      ...given.map((namespace) => ({ namespace, xml: together.get(namespace)! })),
      ...(missing.length > 0 ? await filesByNamespace(store, projectID, missing) : []),
    ];
    for (const file of files) found.set(file.namespace, file.xml);
    wanted = files.flatMap((file) => importedNamespaces(file.xml)).filter((namespace) => !found.has(namespace));
  }
  return [...found.values()];
}

/** The problem for a text that is not a DMN file or exceeds a limit. */
export function unreadable({ refused, problems }: WorkDone): Problem<'INVALID_MODEL' | 'PAYLOAD_TOO_LARGE'> {
  const message = problems[0]?.message ?? 'The file cannot be read';
  if (refused === 'TOO_LARGE') return problem('PAYLOAD_TOO_LARGE', message);
  return problem('INVALID_MODEL', message, { details: { errors: problems, warnings: [] } });
}
