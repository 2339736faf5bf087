/** Publications in lists and details: open ones, and ended ones for a day. */
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { unindexed } from '../sql/by-key.js';
import { firstRow, preparedRows, type Queryable } from '../sql/database.js';
import { filterBy, filterByTime, filterByWord, filterByWords, type FilterValues } from '../lists/filters.js';
import { readFixedPage, type FixedList } from '../lists/list.js';
import type { Page, PageRequest } from '../sql/page.js';
import type { PublicationType } from '../messages/correlation.js';
import { testProjectOf } from '../projects/tests.js';
import { smallCorrelation, type StartedInstance } from './ended-publications.js';

export const publicationStates = ['KEPT', 'CLAIMED', 'TAKEN', 'EXPIRED', 'DELETED'] as const;
export type PublicationState = (typeof publicationStates)[number];

export interface Publication {
  publicationID: string;
  /** That of the tests of its project, if it was published for these. */
  projectID: string;
  type: PublicationType;
  name: string;
  hasCorrelation: boolean;
  correlation: Json;
  state: PublicationState;
  /** Null if an instance has published it. */
  publishedBy: string | null;
  publishedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  /** The instance and node that took a message, or that it is on its way to. */
  takenBy: string | null;
  takenNode: string | null;
  started: StartedInstance[];
  reached: number;
}

/** SQL: whether an unclaimed publication has expired. One that is still being matched has not. */
export function isExpired(publication: string): string {
  return `(${publication}.expires_at <= now() AND ${publication}.match_at IS NULL)`;
}

const isOver = `(p.claimed_by IS NULL AND ${isExpired('p')})`;

/**
 * Signals that cleanup is removing have expired at `-infinity` and are among the ended ones. Neither half
 * has a condition, because Postgres then reads a page of both by their indexes.
 */
const publications = (correlation: (row: string) => string) => `(
  SELECT p.id, p.position, p.project_id, p.type, p.name, ${correlation('p')} AS correlation,
    CASE WHEN p.claimed_by IS NOT NULL THEN 'CLAIMED' WHEN ${isOver} THEN 'EXPIRED' ELSE 'KEPT' END AS state,
    p.published_by, p.published_at, p.expires_at, CASE WHEN ${isOver} THEN p.expires_at END AS ended_at, p.claimed_by AS taken_by,
    (SELECT s.node_id FROM subscriptions s WHERE s.workflow_id = p.claimed_by AND s.number = p.claimed_subscription) AS taken_node, p.started, p.reached,
    CASE WHEN p.expires_at > '-infinity' THEN 'infinity'::timestamptz ELSE '-infinity' END AS listed_until
  FROM publications p
  UNION ALL
  SELECT e.id, e.position, e.project_id, e.type, e.name, e.correlation, e.state, e.published_by, e.published_at,
    e.expires_at, e.ended_at, e.taken_by, e.taken_node, e.started, e.reached,
    e.ended_at + interval '24 hours'
  FROM ended_publications e) u`;

const isListed = 'u.listed_until > now()';

const columns = `
  u.id AS "publicationID", u.project_id AS "projectID", u.type, u.name, u.correlation IS NOT NULL AS "hasCorrelation", u.correlation, u.state, u.published_by AS "publishedBy",
  u.published_at AS "publishedAt", u.expires_at AS "expiresAt", u.ended_at AS "endedAt", u.taken_by AS "takenBy",
  u.taken_node AS "takenNode", u.started, u.reached`;

export const publicationFilters = {
  type: filterByWord('Type', { message: "u.type = 'message'", signal: "u.type = 'signal'" }),
  name: filterBy('name', 'Name', 'u.name = ?'),
  state: filterByWords('State', 'u.state', publicationStates),
  publishedAfter: filterByTime('Published after', 'u.published_at', 'after'),
  publishedBefore: filterByTime('Published before', 'u.published_at', 'until'),
};

const publicationList: FixedList<typeof publicationFilters> = {
  columns,
  table: publications(smallCorrelation),
  joins: '',
  projectColumn: 'u.project_id',
  always: isListed,
  filters: publicationFilters,
  orderBy: 'u.position DESC',
};

/** Publications of a project, newest first. */
export function listPublications(
  database: Queryable,
  projectID: string,
  filter: FilterValues<typeof publicationFilters>,
  page: PageRequest,
): Promise<Page<Publication>> {
  return readFixedPage(database, publicationList, projectID, filter, page);
}

const findStatement = `SELECT ${columns} FROM ${publications((row) => `${row}.correlation`)}
  WHERE u.id = $1 AND ${unindexed('u.project_id')} = ANY($2) AND ${isListed}`;

/** Also one that was published for tests of drafts. */
export async function findPublication(
  database: Queryable,
  projectID: string,
  publicationID: string,
): Promise<Publication | undefined> {
  const [found] = await preparedRows<Publication>(database, 'read publication', findStatement, [
    publicationID,
    [projectID, testProjectOf(projectID)],
  ]);
  return found;
}

/** The variables of an open publication. */
export async function readPublicationVariables(
  database: Queryable,
  publicationID: string,
): Promise<Variables | undefined> {
  const row = await firstRow<{ variables: Variables }>(
    database,
    'SELECT variables FROM publications WHERE id = $1 AND claimed_by IS NULL',
    [publicationID],
  );
  return row?.variables;
}
