/** BPMN files: drafts, and the definitions deployed from them. */
import { randomUUID } from 'node:crypto';
import { firstRow, type Database, type Queryable } from '../sql/database.js';
import { lockProject } from '../projects/lock.js';
import { Filter, listPage, valueColumns, type Omission, type Page, type PageRequest } from '../sql/page.js';
import { refused, type Refusal } from '../sql/refusal.js';
import { indexedText } from '../sql/text.js';
import { withdrawStartTimers } from '../messages/start-timers.js';
import { cancelTestsOf } from './tests-of-drafts.js';
import { insertDefinition, type CompiledProcess } from './new-definition.js';

export interface Resource {
  resourceID: string;
  projectID: string;
  name: string;
  xml: string;
  /** The id of the file's `definitions` element, shared by its revisions. */
  definitionsID: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date | null;
  /** Counts the changes of the draft, from 1. */
  revision: number;
  deployedBy: string | null;
  deployedAt: Date | null;
}

/** The user-defined part of a resource. */
export interface ResourceContent {
  name: string;
  xml: string;
  definitionsID: string;
}

const values = { xml: 'r.xml' };
const withoutXml = `
  r.id AS "resourceID", r.project_id AS "projectID", r.name, r.definitions_id AS "definitionsID", r.created_by AS "createdBy",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt", r.revision, r.deployed_by AS "deployedBy", r.deployed_at AS "deployedAt"`;
const columns = `${withoutXml}, ${valueColumns(values)}`;

/** Without XML if its page omits it. */
export type ListedResource = Omit<Resource, 'xml'> & Omission & { xml: string | null };

/** Stores a draft. The project has a row (see `ensureProject`). */
export async function createResource(
  database: Queryable,
  projectID: string,
  content: ResourceContent,
  createdBy: string,
): Promise<Resource> {
  const created = await firstRow<Resource>(
    database,
    `INSERT INTO resources AS r (project_id, name, xml, definitions_id, created_by) VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`,
    [projectID, content.name, content.xml, indexedText(content.definitionsID), createdBy],
  );
  return created!;
}

export async function findResource(
  database: Queryable,
  projectID: string,
  resourceID: string,
): Promise<Resource | undefined> {
  return firstRow<Resource>(database, `SELECT ${columns} FROM resources r WHERE r.project_id = $1 AND r.id = $2`, [
    projectID,
    resourceID,
  ]);
}

/**
 * Changes a draft; a deployed resource is immutable.
 * @param content the new content
 * @param revisions only if the draft has one of these revisions; undefined: whatever it has
 */
export async function updateResource(
  database: Queryable,
  { projectID, resourceID }: Pick<Resource, 'projectID' | 'resourceID'>,
  content: ResourceContent,
  revisions: readonly number[] | undefined,
): Promise<Resource | Refusal<'NOT_FOUND' | 'CONFLICT'> | { kind: 'changed'; resource: Resource }> {
  const updated = await firstRow<Resource>(
    database,
    `UPDATE resources r SET name = $3, xml = $4, definitions_id = $5, updated_at = now(), revision = r.revision + 1
     WHERE r.project_id = $1 AND r.id = $2 AND r.deployed_at IS NULL AND ($6::integer[] IS NULL OR r.revision = ANY($6))
     RETURNING ${columns}`,
    [projectID, resourceID, content.name, content.xml, indexedText(content.definitionsID), revisions ?? null],
  );
  if (updated) return updated;
  const found = await findResource(database, projectID, resourceID);
  if (!found) return unknown(resourceID);
  return found.deployedAt === null
    ? { kind: 'changed', resource: found }
    : refused('CONFLICT', `Resource ${resourceID} is deployed and cannot change. Create a new one.`);
}

/** Deletes a resource and its definitions; refused while they have instances, including ended ones. */
export async function deleteResource(
  database: Database,
  projectID: string,
  resourceID: string,
): Promise<{ kind: 'deleted' } | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    // Otherwise, timers of earlier versions could be wanted again after their project was deleted.
    if (!(await lockProject(transaction, projectID))) return unknown(resourceID);
    const resource = await firstRow(
      transaction,
      'SELECT id FROM resources WHERE project_id = $1 AND id = $2 FOR UPDATE',
      [projectID, resourceID],
    );
    if (!resource) return unknown(resourceID);
    // A concurrent start is not missed: it locks the definition's row, and the next statement sees instances started
    // until then.
    await transaction.query('SELECT id FROM definitions WHERE resource_id = $1 ORDER BY id FOR UPDATE', [resourceID]);
    const used = await firstRow(
      transaction,
      'SELECT 1 FROM instances WHERE definition_id IN (SELECT id FROM definitions WHERE resource_id = $1) LIMIT 1',
      [resourceID],
    );
    if (used) return refused('CONFLICT', `Resource ${resourceID} has instances and cannot be deleted`);
    await cancelTestsOf(transaction, projectID, resourceID);
    await withdrawStartTimers(transaction, resourceID);
    await transaction.query('DELETE FROM definitions WHERE resource_id = $1', [resourceID]);
    await transaction.query('DELETE FROM resources WHERE id = $1', [resourceID]);
    return { kind: 'deleted' };
  });
}

export interface Deployed {
  kind: 'deployed';
  /** Of the new versions; empty if it was deployed before: then nothing has changed. */
  definitionIDs: readonly string[];
}

/**
 * Makes each process of the resource the newest version of that process. Deployments of one project wait for each
 * other, so that versions are counted without gaps and become visible all at once.
 * @param xml the text that `processes` were compiled from; refused if the draft has changed in the meantime
 */
export async function deployResource(
  database: Database,
  {
    projectID,
    resourceID,
    xml,
    deployedBy,
    processes,
  }: {
    projectID: string;
    resourceID: string;
    xml: string;
    deployedBy: string;
    processes: CompiledProcess[];
  },
): Promise<Deployed | Refusal<'NOT_FOUND' | 'CONFLICT'>> {
  return database.transaction(async (transaction) => {
    if (!(await lockProject(transaction, projectID))) return unknown(resourceID);
    const resource = await firstRow<{ same: boolean; deployed: boolean }>(
      transaction,
      'SELECT xml = $3 AS same, deployed_at IS NOT NULL AS deployed FROM resources WHERE project_id = $1 AND id = $2 FOR UPDATE',
      [projectID, resourceID, xml],
    );
    if (!resource) return unknown(resourceID);
    if (!resource.deployed && !resource.same)
      return refused('CONFLICT', `Resource ${resourceID} was changed during its deployment. Deploy it again.`);
    if (resource.deployed) return { kind: 'deployed', definitionIDs: [] };
    await transaction.query('UPDATE resources SET deployed_at = now(), deployed_by = $2 WHERE id = $1', [
      resourceID,
      deployedBy,
    ]);
    const definitionIDs: string[] = [];
    for (const process of processes) {
      const definitionID = randomUUID();
      await insertDefinition(transaction, { definitionID, projectID, resourceID }, process);
      definitionIDs.push(definitionID);
    }
    return { kind: 'deployed', definitionIDs };
  });
}

function unknown(resourceID: string): Refusal<'NOT_FOUND'> {
  return refused('NOT_FOUND', `There is no resource ${resourceID} in this project`);
}

/**
 * Resources of a project, newest first.
 * @param definitionsID only the revisions of this file
 */
export async function listResources(
  database: Queryable,
  projectID: string,
  { definitionsID, isDeployed }: { definitionsID?: string | undefined; isDeployed?: boolean | undefined },
  page: PageRequest,
): Promise<Page<ListedResource>> {
  const filter = new Filter()
    .where('r.project_id = ?', projectID)
    .whereGiven('r.definitions_id = ?', definitionsID)
    .whereGiven('(r.deployed_at IS NOT NULL) = ?', isDeployed);
  return listPage<ListedResource>(
    database,
    { columns: withoutXml, values, table: 'resources r', filter, orderBy: 'r.created_at DESC, r.id' },
    page,
  );
}

/** The newest revision of a file, and the number of revisions. */
export interface ResourceSummary {
  definitionsID: string;
  latestResourceID: string;
  name: string;
  versionCount: number;
  /** Whether the newest revision is deployed. */
  isDeployed: boolean;
  /** Whether a process of any revision is suspended. */
  hasSuspendedDefinition: boolean;
  createdAt: Date;
}

/** Files of a project by their newest revision, newest first. */
export async function listLatestResources(
  database: Queryable,
  projectID: string,
  page: PageRequest,
): Promise<Page<ResourceSummary>> {
  const newest = `(
    SELECT DISTINCT ON (project_id, definitions_id) project_id, definitions_id, id, name, deployed_at, created_at,
      count(*) OVER (PARTITION BY project_id, definitions_id)::float8 AS revisions
    FROM resources ORDER BY project_id, definitions_id, created_at DESC, id) r`;
  return listPage<ResourceSummary>(
    database,
    {
      columns: `r.definitions_id AS "definitionsID", r.id AS "latestResourceID", r.name, r.revisions AS "versionCount",
        r.deployed_at IS NOT NULL AS "isDeployed", r.created_at AS "createdAt",
        EXISTS (SELECT 1 FROM definitions d JOIN resources o ON o.id = d.resource_id
          WHERE d.project_id = r.project_id AND d.suspended_at IS NOT NULL AND o.definitions_id = r.definitions_id) AS "hasSuspendedDefinition"`,
      table: newest,
      filter: new Filter().where('r.project_id = ?', projectID),
      orderBy: 'r.created_at DESC, r.id',
    },
    page,
  );
}
