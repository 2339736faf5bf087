/** Deployments of bundles, as recorded. */
import { firstRow, type Queryable } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
import type { DeployedFile } from './bundle.js';

export interface Deployment {
  deploymentID: string;
  name: string | null;
  reason: string | null;
  createdBy: string;
  createdAt: Date;
  files: DeployedFile[];
}

const columns = `
  b.id AS "deploymentID", b.name, b.reason, b.created_by AS "createdBy", b.created_at AS "createdAt", b.files`;

export function findDeployment(
  database: Queryable,
  projectID: string,
  deploymentID: string,
): Promise<Deployment | undefined> {
  return firstRow(database, `SELECT ${columns} FROM deployments b WHERE b.project_id = $1 AND b.id = $2`, [
    projectID,
    deploymentID,
  ]);
}

/** Newest first. */
export function listDeployments(database: Queryable, projectID: string, page: PageRequest): Promise<Page<Deployment>> {
  const filter = new Filter().where('b.project_id = ?', projectID);
  return listPage(database, { columns, table: 'deployments b', filter, orderBy: 'b.number DESC' }, page);
}
