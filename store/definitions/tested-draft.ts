/** A draft as it is when a test of it starts. Changing or deploying the draft changes nothing for the test. */
import { randomUUID } from 'node:crypto';
import { lockProject } from '../projects/lock.js';
import { ensureTestProject, testProjectOf } from '../projects/tests.js';
import { firstRow, type Database } from '../sql/database.js';
import { insertDefinition, type CompiledProcess } from './new-definition.js';
import type { Resource } from './resources.js';

/** Deployed versions count from 1. */
const VERSION_OF_TESTS = 0;

/**
 * Writes the processes of the file into the project of its tests, as those of a file call each other. No start event is
 * armed.
 * @returns the ids of the definitions, by process; undefined if the project has been deleted
 */
export async function writeTestedDraft(
  database: Database,
  { projectID, resourceID, name, xml, definitionsID }: Resource,
  processes: readonly CompiledProcess[],
  testedBy: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const tests = testProjectOf(projectID);
  return database.transaction(async (transaction) => {
    await ensureTestProject(transaction, projectID);
    if (!(await lockProject(transaction, tests))) return undefined;
    const copy = await firstRow<{ id: string }>(
      transaction,
      `INSERT INTO resources (project_id, name, xml, definitions_id, created_by, deployed_at, deployed_by, tested_draft)
       VALUES ($1, $2, $3, $4, $5, now(), $5, $6) RETURNING id`,
      [tests, name, xml, definitionsID, testedBy, resourceID],
    );
    const written = new Map<string, string>();
    for (const process of processes) {
      const definitionID = randomUUID();
      await insertDefinition(
        transaction,
        { definitionID, projectID: tests, resourceID: copy!.id, version: VERSION_OF_TESTS },
        { ...process, startTriggers: [], startTimers: [] },
      );
      written.set(process.processID, definitionID);
    }
    return written;
  });
}
