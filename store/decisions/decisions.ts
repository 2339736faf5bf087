/** DMN files by version, and the decisions in them. */
import { rows, firstRow, type Queryable } from '../sql/database.js';
import { filterBy, type FilterValues } from '../lists/filters.js';
import { readFixedPage, type FixedList } from '../lists/list.js';
import { Filter, listPage, valueColumns, type Omission, type Page, type PageRequest } from '../sql/page.js';

export interface DecisionDefinition {
  definitionID: string;
  projectID: string;
  name: string;
  definitionsID: string;
  xml: string;
  version: number;
  createdBy: string;
  createdAt: Date;
  usedAt: Date | null;
}

const values = { xml: 'd.xml' };
const withoutXml = `
  d.id AS "definitionID", d.project_id AS "projectID", d.name, d.definitions_id AS "definitionsID", d.version,
  d.created_by AS "createdBy", d.created_at AS "createdAt", d.used_at AS "usedAt"`;

/** SQL: a `DecisionDefinition` from the row `d`. */
export const definitionColumns = `${withoutXml}, ${valueColumns(values)}`;

/** Without XML if its page omits it. */
export type Listed<Row extends { xml: string }> = Omit<Row, 'xml'> & Omission & { xml: string | null };

export async function findDefinition(
  database: Queryable,
  projectID: string,
  definitionID: string,
): Promise<DecisionDefinition | undefined> {
  return firstRow<DecisionDefinition>(
    database,
    `SELECT ${definitionColumns} FROM decision_definitions d WHERE d.project_id = $1 AND d.id = $2`,
    [projectID, definitionID],
  );
}

export interface CountedDefinition extends DecisionDefinition {
  /** Versions with the same `definitionsID`. */
  versionCount: number;
}

const count = `
  (SELECT count(*)::int FROM decision_definitions c WHERE c.project_id = d.project_id AND c.definitions_id = d.definitions_id)
    AS "versionCount"`;

/** A version by the id of its file (default: the newest). */
export async function findDefinitionByFile(
  database: Queryable,
  projectID: string,
  definitionsID: string,
  version?: number,
): Promise<CountedDefinition | undefined> {
  return firstRow<CountedDefinition>(
    database,
    `SELECT ${definitionColumns}, ${count} FROM decision_definitions d WHERE d.project_id = $1 AND d.definitions_id = $2 AND ($3::int IS NULL OR d.version = $3)
     ORDER BY d.version DESC LIMIT 1`,
    [projectID, definitionsID, version ?? null],
  );
}

/** All versions of all files, newest first. */
export function listDefinitions(
  database: Queryable,
  projectID: string,
  page: PageRequest,
  definitionsID?: string,
): Promise<Page<Listed<DecisionDefinition>>> {
  const filter = new Filter().where('d.project_id = ?', projectID).whereGiven('d.definitions_id = ?', definitionsID);
  return listPage<Listed<DecisionDefinition>>(
    database,
    { columns: withoutXml, values, table: 'decision_definitions d', filter, orderBy: 'd.number DESC' },
    page,
  );
}

const isLatest =
  'd.version = (SELECT max(version) FROM decision_definitions l WHERE l.project_id = d.project_id AND l.definitions_id = d.definitions_id)';

/** The latest version of each file, newest first. */
export function listLatestDefinitions(
  database: Queryable,
  projectID: string,
  page: PageRequest,
): Promise<Page<Listed<CountedDefinition>>> {
  const filter = new Filter().where('d.project_id = ?', projectID).whereTrue(isLatest);
  return listPage<Listed<CountedDefinition>>(
    database,
    { columns: `${withoutXml}, ${count}`, values, table: 'decision_definitions d', filter, orderBy: 'd.number DESC' },
    page,
  );
}

export interface ListedDecision {
  decisionID: string;
  decisionName: string;
  definitionsID: string;
  definitionName: string;
  latestVersion: number;
  inputFields: { name: string; typeRef?: string }[];
}

export const decisionFilters = {
  q: filterBy(
    'name',
    'Id or name contains',
    '(strpos(lower(e.name), lower(?)) > 0 OR strpos(lower(e.decision_id), lower(?)) > 0)',
  ),
};

const decisionList: FixedList<typeof decisionFilters> = {
  columns: `e.decision_id AS "decisionID", e.name AS "decisionName", d.definitions_id AS "definitionsID", d.name AS "definitionName",
    d.version AS "latestVersion", e.input_fields AS "inputFields"`,
  table: 'decisions e JOIN decision_definitions d ON d.id = e.definition_id',
  joins: '',
  projectColumn: 'd.project_id',
  always: isLatest,
  filters: decisionFilters,
  orderBy: 'e.name, e.decision_id, d.number DESC',
};

/** Decisions of the latest version of each file, by name. */
export function listDecisions(
  database: Queryable,
  projectID: string,
  filter: FilterValues<typeof decisionFilters>,
  page: PageRequest,
): Promise<Page<ListedDecision>> {
  return readFixedPage(database, decisionList, projectID, filter, page);
}

/** The newest file of each of these namespaces. */
export async function filesByNamespace(
  database: Queryable,
  projectID: string,
  namespaces: readonly string[],
): Promise<{ namespace: string; xml: string }[]> {
  return rows(
    database,
    'SELECT DISTINCT ON (namespace) namespace, xml FROM decision_definitions WHERE project_id = $1 AND namespace = ANY($2) ORDER BY namespace, number DESC',
    [projectID, namespaces],
  );
}
