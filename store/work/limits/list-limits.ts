/** Limits of a project, with what is used of them. */
import { firstRow, preparedRows, type Queryable } from '../../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../../sql/page.js';
import { indexedText } from '../../sql/text.js';
import { isLimited } from './limits.js';
import { usageStatement } from './poll-statements.js';

export interface KeyUsage {
  /** As JSON; null for jobs without a key. */
  key: string | null;
  leased: number;
  held: number;
}

export interface Limit {
  taskType: string;
  concurrent: number | null;
  rateCount: number | null;
  ratePerMilliseconds: number | null;
  updatedBy: string;
  updatedAt: Date;
}

export interface UsedLimit extends Limit {
  leased: number;
  /** Counted to 10,000. */
  held: number;
  /** Those with the most held jobs. */
  keys: KeyUsage[];
}

const columns = `task_type AS "taskType", concurrent, rate_count AS "rateCount", rate_per_ms AS "ratePerMilliseconds",
  updated_by AS "updatedBy", updated_at AS "updatedAt"`;

/** The limit of a type, if it has one. */
export function findLimit(database: Queryable, projectID: string, taskType: string): Promise<Limit | undefined> {
  return firstRow<Limit>(
    database,
    `SELECT ${columns} FROM job_limits l WHERE project_id = $1 AND task_type = $2 AND ${isLimited('l')}`,
    [projectID, indexedText(taskType)],
  );
}

/** By task type. */
export async function listLimits(database: Queryable, projectID: string, page: PageRequest): Promise<Page<UsedLimit>> {
  const { data, ...totals } = await listPage<Limit>(
    database,
    {
      columns,
      table: 'job_limits l',
      filter: new Filter().where('project_id = ?', projectID).whereTrue(isLimited('l')),
      orderBy: 'task_type',
    },
    page,
  );
  const used: UsedLimit[] = [];
  for (const limit of data) used.push(await withUsage(database, projectID, limit));
  return { data: used, ...totals };
}

/** Without the tests of the project. */
export async function withUsage(database: Queryable, projectID: string, limit: Limit): Promise<UsedLimit> {
  const [usage] = await preparedRows<Pick<UsedLimit, 'leased' | 'held' | 'keys'>>(
    database,
    'usage of a limit',
    usageStatement,
    [projectID, limit.taskType, ''],
  );
  return { ...limit, ...usage! };
}
