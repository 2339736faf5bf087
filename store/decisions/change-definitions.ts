/**
 * Changes of DMN files by version. The content of a version can change only until it is used, because executions and
 * instances refer to it.
 */
import type { DecisionContent, DefinitionContent } from '@perdure/dmn/definition-content.js';
import { firstRow, type Database, type Transaction, type Queryable } from '../sql/database.js';
import { beingDeleted, lockProject } from '../projects/lock.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { definitionColumns, findDefinition, type DecisionDefinition } from './decisions.js';

/**
 * Stores a file as a version (default: the one after the newest). Versions are counted per project, one at a time. The
 * project has a row (see `ensureProject`).
 */
export async function createDefinition(
  database: Database,
  projectID: string,
  {
    name,
    version,
    content,
    createdBy,
  }: { name: string; version?: number | undefined; content: DefinitionContent; createdBy: string },
): Promise<DecisionDefinition | Refusal<'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    if (!(await lockProject(transaction, projectID))) return beingDeleted(projectID);
    const created = await insertVersion(transaction, { projectID, name, version, content, createdBy });
    return created ?? refused('CONFLICT', `${content.definitionsID} already has a version ${version}`);
  });
}

/** A version to insert: its id and number are chosen here unless given. */
export interface NewVersion {
  id?: string;
  projectID: string;
  name: string;
  version?: number | undefined;
  content: DefinitionContent;
  createdBy: string;
}

/** Undefined if the version exists. The transaction has locked the project. */
export async function insertVersion(
  transaction: Transaction,
  { id, projectID, name, version, content, createdBy }: NewVersion,
): Promise<DecisionDefinition | undefined> {
  const created = await firstRow<DecisionDefinition>(
    transaction,
    `INSERT INTO decision_definitions AS d (id, project_id, definitions_id, namespace, name, version, xml, imported, model, created_by)
     SELECT coalesce($10, gen_random_uuid()), $1, $2, $3, $4,
       coalesce($5, 1 + (SELECT coalesce(max(version), 0) FROM decision_definitions WHERE project_id = $1 AND definitions_id = $2)), $6, $7, $8, $9
     ON CONFLICT DO NOTHING RETURNING ${definitionColumns}`,
    [
      projectID,
      content.definitionsID,
      content.namespace,
      name,
      version ?? null,
      content.xml,
      JSON.stringify(content.imported),
      content.model,
      createdBy,
      id ?? null,
    ],
  );
  if (created) await writeDecisions(transaction, created, content.decisions);
  return created;
}

async function writeDecisions(
  transaction: Transaction,
  { definitionID, projectID }: DecisionDefinition,
  decisions: readonly DecisionContent[],
): Promise<void> {
  await transaction.query('DELETE FROM decisions WHERE definition_id = $1', [definitionID]);
  await transaction.query(
    `INSERT INTO decisions (definition_id, project_id, decision_id, name, version_tag, input_fields)
     SELECT $1, $2, each."decisionID", each."decisionName", each."versionTag", each."inputFields"
     FROM json_to_recordset($3) AS each("decisionID" text, "decisionName" text, "versionTag" text, "inputFields" json)
     ON CONFLICT DO NOTHING`,
    [definitionID, projectID, JSON.stringify(decisions)],
  );
}

/** The changeable properties of a version. */
export interface DefinitionChange {
  name?: string | undefined;
  version?: number | undefined;
  content?: DefinitionContent | undefined;
}

/** Changes a version: its name at any time, its content and number until it is used. */
export async function updateDefinition(
  database: Database,
  projectID: string,
  definitionID: string,
  { name, version, content }: DefinitionChange,
): Promise<DecisionDefinition | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    if (!(await lockProject(transaction, projectID))) return unknown(definitionID);
    const found = await firstRow<DecisionDefinition>(
      transaction,
      `SELECT ${definitionColumns} FROM decision_definitions d WHERE d.project_id = $1 AND d.id = $2 FOR UPDATE`,
      [projectID, definitionID],
    );
    if (found === undefined) return unknown(definitionID);
    const conflict = await conflictOf(transaction, found, version, content);
    if (conflict !== undefined) return conflict;
    const updated = await firstRow<DecisionDefinition>(
      transaction,
      `UPDATE decision_definitions d SET name = coalesce($2, name), version = coalesce($3, version), xml = coalesce($4, xml),
         model = coalesce($5, model), namespace = coalesce($6, namespace), imported = coalesce($7, imported), updated_at = now()
       WHERE id = $1 RETURNING ${definitionColumns}`,
      [
        definitionID,
        name ?? null,
        version ?? null,
        content?.xml ?? null,
        content?.model ?? null,
        content?.namespace ?? null,
        content ? JSON.stringify(content.imported) : null,
      ],
    );
    if (content !== undefined) await writeDecisions(transaction, found, content.decisions);
    return updated!;
  });
}

async function conflictOf(
  transaction: Transaction,
  found: DecisionDefinition,
  version: number | undefined,
  content: DefinitionContent | undefined,
): Promise<Refusal<'CONFLICT'> | undefined> {
  const { definitionID, definitionsID, projectID, usedAt } = found;
  const changesVersion = version !== undefined && version !== found.version;
  const changesContent = content !== undefined && content.xml !== found.xml;
  if (usedAt !== null && (changesVersion || changesContent)) {
    return refused(
      'CONFLICT',
      `Version ${found.version} of ${definitionsID} is in use and cannot change. Create a new version.`,
    );
  }
  if (content !== undefined && content.definitionsID !== definitionsID) {
    return refused(
      'CONFLICT',
      `The id of the file's definitions must be ${definitionsID}, but is ${content.definitionsID}`,
    );
  }
  if (!changesVersion) return undefined;
  const other = await firstRow(
    transaction,
    'SELECT 1 FROM decision_definitions WHERE project_id = $1 AND definitions_id = $2 AND version = $3 AND id <> $4',
    [projectID, definitionsID, version, definitionID],
  );
  return other && refused('CONFLICT', `${definitionsID} already has a version ${version}`);
}

/** Deletes a version that was never used. */
export async function deleteDefinition(
  database: Database,
  projectID: string,
  definitionID: string,
): Promise<{ kind: 'deleted' } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  const deleted = await firstRow(
    database,
    'DELETE FROM decision_definitions WHERE project_id = $1 AND id = $2 AND used_at IS NULL RETURNING id',
    [projectID, definitionID],
  );
  if (deleted !== undefined) return { kind: 'deleted' };
  const found = await findDefinition(database, projectID, definitionID);
  return found
    ? refused('CONFLICT', `Version ${found.version} of ${found.definitionsID} is in use and cannot be deleted`)
    : unknown(definitionID);
}

/** A version in the form needed for evaluation. */
export interface UsedModel {
  model: string;
  xml: string;
  imported: string[];
}

/** The compiled model of a version, whose content is fixed from now on. Undefined if it was deleted. */
export async function markUsed(database: Queryable, definitionID: string): Promise<UsedModel | undefined> {
  return firstRow<UsedModel>(
    database,
    'UPDATE decision_definitions SET used_at = coalesce(used_at, now()) WHERE id = $1 RETURNING model, xml, imported',
    [definitionID],
  );
}

function unknown(definitionID: string): Refusal<'NOT_FOUND'> {
  return refused('NOT_FOUND', `There is no decision definition ${definitionID} in this project`);
}
