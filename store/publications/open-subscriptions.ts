/** Open subscriptions in lists: of instances, and those that start a process. */
import type { Json } from '@perdure/engine/contract/json.js';
import type { Queryable } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
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

export interface SubscriptionFilter {
  type?: PublicationType | undefined;
  name?: string | undefined;
  workflowID?: string | undefined;
  processID?: string | undefined;
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

/** Open subscriptions of a project, oldest first. */
export async function listSubscriptions(
  database: Queryable,
  projectID: string,
  filter: SubscriptionFilter,
  page: PageRequest,
): Promise<Page<OpenSubscription>> {
  const conditions = new Filter()
    .where('u.project_id = ?', projectID)
    .whereGiven('u.type = ?', filter.type)
    .whereGiven('u.name = ?', filter.name)
    .whereGiven('u.workflow_id = ?', filter.workflowID)
    .whereJoined('d.process_id = ?', filter.processID);
  const { data, total } = await listPage<Row>(
    database,
    {
      columns,
      table: subscriptions,
      joins,
      filter: conditions,
      orderBy: 'u.opened_at, u.workflow_id, u.definition_id, u.node_id, u.number',
    },
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
    total,
  };
}
