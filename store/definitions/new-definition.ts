/** Writes one compiled process as the newest version of that process. */
import type { Graph } from '@perdure/engine/model/graph.js';
import type { ProcessTool } from '@perdure/engine/model/process-tools.js';
import type { FormsOfProcess } from '@perdure/engine/model/forms.js';
import { addStartSubscriptions, type StartTrigger } from '../messages/start-subscriptions.js';
import { addStartTimers, type StartTimer } from '../messages/start-timers.js';
import { recordDeployment } from '../events/of-deployment.js';
import { firstRow, type Transaction } from '../sql/database.js';
import { isControlling } from '../processes/settings.js';
import { saveGraph } from '../steps/graphs.js';

/** One process of a resource, compiled. */
export interface CompiledProcess {
  processID: string;
  processName?: string | undefined;
  versionTag?: string | undefined;
  graph: Graph;
  /** Of the graph's canonical JSON, hexadecimal. */
  sha256: string;
  /** Version of the compiler that made the graph. */
  compilerVersion: number;
  /** Whether callers can start it, without an event (default true). */
  startsByCall?: boolean;
  /** Messages, signals and timers that start it. */
  startTriggers?: readonly StartTrigger[];
  startTimers?: readonly StartTimer[];
  /** Its start form and the forms embedded in its file; absent without either. */
  forms?: FormsOfProcess | undefined;
  /** Start events that agents can call; absent without any. */
  tools?: readonly ProcessTool[] | undefined;
}

/** Where a new version belongs. */
export interface DefinitionPlace {
  definitionID: string;
  projectID: string;
  resourceID: string;
  /** The bundle that it is part of. */
  deploymentID?: string;
  /** Default: one more than that of the newest version. */
  version?: number;
}

/** The transaction has locked the project, so versions are counted without gaps. */
export async function insertDefinition(
  transaction: Transaction,
  { definitionID, projectID, resourceID, deploymentID, version }: DefinitionPlace,
  process: CompiledProcess,
): Promise<void> {
  await saveGraph(transaction, process.sha256, process.graph);
  await firstRow(
    transaction,
    `INSERT INTO definitions (id, project_id, resource_id, process_id, process_name, version_tag, graph_sha256, starts_by_call,
       compiler_version, deployment_id, forms, tools, controlled, version)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13,
       EXISTS (SELECT FROM process_settings s WHERE s.project_id = $2 AND s.process_id = $4 AND ${isControlling('s')}),
       coalesce($12::integer, max(version) + 1, 1) FROM definitions WHERE project_id = $2 AND process_id = $4`,
    [
      definitionID,
      projectID,
      resourceID,
      process.processID,
      process.processName ?? null,
      process.versionTag ?? null,
      process.sha256,
      process.startsByCall ?? true,
      process.compilerVersion,
      deploymentID ?? null,
      process.forms === undefined ? null : JSON.stringify(process.forms),
      version ?? null,
      process.tools === undefined ? null : JSON.stringify(process.tools),
    ],
  );
  await recordDeployment(transaction, definitionID);
  await addStartSubscriptions(transaction, definitionID, process.startTriggers ?? []);
  await addStartTimers(transaction, definitionID, process.startTimers ?? []);
}
