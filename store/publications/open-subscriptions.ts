/** Open subscriptions in lists: of instances, and those that start a process. */
import type { Json } from '@perdure/engine/contract/json.js';
import type { Queryable } from '../sql/database.js';
import { filterBy, filterByWord, joined, type FilterValues } from '../lists/filters.js';
import { readFixedPage, type FixedList } from '../lists/list.js';
import type { Page, PageRequest } from '../sql/page.js';
import type { PublicationType } from '../messages/correlation.js';
import { smallCorrelation } from './ended-publications.js';
import { countUnmatched } from './near-misses.js';

export interface OpenSubscription {
  type: PublicationType;
  name: string;
  correlation: Json | undefined;
  nodeID: string;
  /** Null if it starts a process. */
  workflowID: string | null;
  definitionID: string;
  processID: string;
  openedAt: Date;
  /** The publication that is on its way to it. */
  publicationID: string | null;
  /** Kept messages of the name that do not match. */
  keptUnmatched: number;
}

type Row = Omit<OpenSubscription, 'keptUnmatched' | 'correlation'> & {
  hasCorrelation: boolean;
  isLarge: boolean;
  correlation: Json;
};

/** Only the newest version of a process is started. */
const subscriptions = `(
  SELECT s.project_id, s.type, s.name, ${smallCorrelation('s')} AS correlation, s.correlation IS NOT NULL AS has_correlation, s.node_id,
    s.workflow_id, s.number, NULL::uuid AS definition_id, s.opened_at, s.publication_id
  FROM subscriptions s
  UNION ALL
  SELECT t.project_id, t.type, t.name, NULL::json, false, t.node_id, NULL::text, t.trigger, t.definition_id, t.created_at, NULL::uuid
  FROM start_subscriptions t JOIN definitions v ON v.id = t.definition_id
  WHERE v.version = (SELECT max(n.version) FROM definitions n WHERE n.project_id = v.project_id AND n.process_id = v.process_id)) u`;

const joins = `LEFT JOIN instances i ON i.workflow_id = u.workflow_id JOIN definitions d ON d.id = coalesce(u.definition_id, i.definition_id)`;

const columns = `
  u.type, u.name, u.correlation, u.has_correlation AS "hasCorrelation", u.has_correlation AND u.correlation IS NULL AS "isLarge", u.node_id AS "nodeID", u.workflow_id AS "workflowID",
  d.id AS "definitionID", d.process_id AS "processID", u.opened_at AS "openedAt", u.publication_id AS "publicationID"`;

export const subscriptionFilters = {
  type: filterByWord('Type', { message: "u.type = 'message'", signal: "u.type = 'signal'" }),
  name: filterBy('name', 'Name', 'u.name = ?'),
  workflowID: filterBy('workflowID', 'Instance', 'u.workflow_id = ?'),
  processId: joined(filterBy('name', 'Process id', 'd.process_id = ?')),
};

const subscriptionList: FixedList<typeof subscriptionFilters> = {
  columns,
  table: subscriptions,
  joins,
  projectColumn: 'u.project_id',
  filters: subscriptionFilters,
  orderBy: 'u.opened_at, u.workflow_id, u.definition_id, u.node_id, u.number',
};

/** Open subscriptions of a project, oldest first. */
export async function listSubscriptions(
  database: Queryable,
  projectID: string,
  filter: FilterValues<typeof subscriptionFilters>,
  page: PageRequest,
): Promise<Page<OpenSubscription>> {
  const { data, ...totals } = await readFixedPage<Row, typeof subscriptionFilters>(
    database,
    subscriptionList,
    projectID,
    filter,
    page,
  );
  const listed = data.map(({ hasCorrelation, isLarge, correlation, ...subscription }) => ({
    ...subscription,
    correlation: hasCorrelation && !isLarge ? correlation : undefined,
    // A start event takes any message of its name.
    isCounted: subscription.workflowID !== null && !isLarge,
  }));
  const counts = await countUnmatched(
    database,
    projectID,
    listed.filter(({ isCounted }) => isCounted),
  );
  return {
    data: listed.map(({ isCounted, ...row }) => ({ ...row, keptUnmatched: isCounted ? counts.shift()! : 0 })),
    ...totals,
  };
}
