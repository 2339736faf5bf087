/**
 * Recompiles deployed definitions whose graphs an older compiler made, one file at a time and each file once per process.
 * Hosts of an older build deploy such definitions until the last of them is replaced. Several processes can run it: they
 * make the same graphs, and the first write wins.
 */
import type { Logger } from 'pino';
import { COMPILER_VERSION } from '@perdure/bpmn/compile/compiler-version.js';
import { compileResource, type CompiledResource } from '@perdure/bpmn';
import { haveSameStructure } from '@perdure/bpmn/compile/same-structure.js';
import {
  BEFORE_ALL_RESOURCES,
  outdatedResources,
  readOutdated,
  replaceGraph,
  type OutdatedDefinition,
} from '../../store/definitions/outdated-definitions.js';
import { errorMessage } from '@perdure/lib/error-message.js';
import { walk, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface RecompilerOptions {
  store: Database;
  logger: Logger;
  /** The BPMN compiler. */
  compile?: (xml: string) => Promise<CompiledResource>;
  compilerVersion?: number;
}

const EVERY_MS = 300_000;

export function outdatedDefinitions(options: RecompilerOptions): Chore {
  const { store, compilerVersion = COMPILER_VERSION } = options;
  const tried = new Set<string>();
  const next = async (after = BEFORE_ALL_RESOURCES): Promise<string | undefined> => {
    const [resourceID] = await outdatedResources(store, compilerVersion, after, 1);
    if (resourceID !== undefined && !tried.has(resourceID)) {
      await recompile(resourceID, options);
      tried.add(resourceID);
    }
    return resourceID;
  };
  return { name: 'outdated_definitions', every: EVERY_MS, run: walk(next) };
}

/** A file that cannot be compiled keeps its graphs and does not block the others. */
async function recompile(
  resourceID: string,
  { store, logger, compile = compileResource, compilerVersion = COMPILER_VERSION }: RecompilerOptions,
): Promise<void> {
  const outdated = await readOutdated(store, compilerVersion, resourceID);
  if (!outdated) return;
  let compiled: CompiledResource;
  try {
    compiled = await compile(outdated.xml);
  } catch (error) {
    logger.warn(
      { resourceID, error: errorMessage(error) },
      'recompiling a file failed; its definitions keep their graphs',
    );
    return;
  }
  for (const definition of outdated.definitions) {
    const { definitionID } = definition;
    const found = replacementOf(definition, compiled);
    if ('reason' in found)
      logger.warn(
        { resourceID, definitionID, reason: found.reason },
        'definition keeps the graph of an older compiler',
      );
    else if (await replaceGraph(store, definitionID, { ...found, compilerVersion }))
      logger.info({ resourceID, definitionID }, 'definition recompiled');
  }
}

type Replacement = CompiledResource['processes'][number] | { reason: string };

/** Lists and histories of running instances are read with the graph of their definition, so its nodes must remain. */
function replacementOf(
  { processID, graph }: OutdatedDefinition,
  { processes, problems }: CompiledResource,
): Replacement {
  const found = processes.find((process) => process.processID === processID);
  if (!found)
    return {
      reason:
        problems.find(({ severity }) => severity === 'error')?.message ??
        `The file no longer has a deployable process ${processID}`,
    };
  return haveSameStructure(graph, found.graph) ? found : { reason: 'The nodes and flows of the new graph differ' };
}
