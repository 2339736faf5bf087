/** Start events of a project that agents can call. */
import type { ProcessTool } from '@perdure/engine/model/process-tools.js';
import { rows, type Queryable } from '../sql/database.js';

/** A tool of the newest version of a process. */
export interface DeployedTool extends ProcessTool {
  processID: string;
  processName: string | null;
  definitionID: string;
}

/** Processes: a list of tools is read as a whole, by a language model. */
const MAX_PROCESSES = 100;

/** By process id. */
export async function listProcessTools(database: Queryable, projectID: string): Promise<DeployedTool[]> {
  const found = await rows<Pick<DeployedTool, 'processID' | 'processName' | 'definitionID'> & { tools: ProcessTool[] }>(
    database,
    `SELECT d.process_id AS "processID", d.process_name AS "processName", d.id AS "definitionID", d.tools
     FROM definitions d WHERE d.project_id = $1 AND d.tools IS NOT NULL AND d.version > 0 AND NOT EXISTS (
       SELECT FROM definitions n WHERE n.project_id = d.project_id AND n.process_id = d.process_id AND n.version > d.version)
     ORDER BY d.process_id LIMIT ${MAX_PROCESSES}`,
    [projectID],
  );
  return found.flatMap(({ tools, ...process }) => tools.map((tool) => ({ ...tool, ...process })));
}
