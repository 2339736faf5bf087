/** Deployments of bundles, as recorded. */
import { firstRow, type Queryable } from '../sql/database.js';
import { readFixedPage, type FixedList } from '../lists/list.js';
import type { Page, PageRequest } from '../sql/page.js';
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

export const deploymentFilters = {};

const deploymentList: FixedList<typeof deploymentFilters> = {
  columns,
  table: 'deployments b',
  joins: '',
  projectColumn: 'b.project_id',
  filters: deploymentFilters,
  orderBy: 'b.number DESC',
};

/** Newest first. */
export function listDeployments(database: Queryable, projectID: string, page: PageRequest): Promise<Page<Deployment>> {
  return readFixedPage(database, deploymentList, projectID, {}, page);
}
