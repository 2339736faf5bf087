/** Evaluations of stored decisions requested by API clients. */
import { firstRow, type Queryable } from '../sql/database.js';
import { filterBy, filterByTime, type FilterValues } from '../lists/filters.js';
import { readFixedPage, type FixedList } from '../lists/list.js';
import { valueColumns, type Omission, type Page, type PageRequest } from '../sql/page.js';
import { optionalIndexedText } from '../sql/text.js';

export interface DecisionExecution {
  executionID: string;
  definitionID: string;
  definitionsID: string;
  businessID: string | null;
  executedAt: Date;
  executedBy: string | null;
  inputs: Record<string, unknown>;
  outputs: unknown;
}

/** Without inputs and outputs if its page omits them. */
export type ListedExecution = Omit<DecisionExecution, 'inputs'> &
  Omission & { inputs: DecisionExecution['inputs'] | null };

const values = { inputs: 'x.inputs', outputs: 'x.outputs' };
const columns = `
  x.id AS "executionID", x.definition_id AS "definitionID", x.definitions_id AS "definitionsID", x.business_id AS "businessID",
  x.executed_at AS "executedAt", x.executed_by AS "executedBy"`;

export type NewExecution = Omit<DecisionExecution, 'executionID' | 'executedAt' | 'businessID'> & {
  projectID: string;
  businessID?: string | undefined;
};

/** Records an evaluation and returns its id. */
export async function recordExecution(database: Queryable, execution: NewExecution): Promise<string> {
  const { projectID, definitionID, definitionsID, businessID, executedBy, inputs, outputs } = execution;
  const row = await firstRow<{ id: string }>(
    database,
    `INSERT INTO decision_executions (project_id, definition_id, definitions_id, business_id, executed_by, inputs, outputs)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [
      projectID,
      definitionID,
      definitionsID,
      optionalIndexedText(businessID),
      executedBy,
      JSON.stringify(inputs),
      JSON.stringify(outputs),
    ],
  );
  return row!.id;
}

export const executionFilters = {
  definitionsID: filterBy('name', 'File id', 'x.definitions_id = ?'),
  startDate: filterByTime('Evaluated from', 'x.executed_at', 'from'),
  businessId: filterBy('name', 'Business id', 'x.business_id = ?'),
};

const executionList: FixedList<typeof executionFilters> = {
  columns,
  values,
  table: 'decision_executions x',
  joins: '',
  projectColumn: 'x.project_id',
  filters: executionFilters,
  orderBy: 'x.number DESC',
};

/** Newest first. @param definitionID only evaluations of this version */
export function listExecutions(
  database: Queryable,
  projectID: string,
  filter: FilterValues<typeof executionFilters>,
  page: PageRequest,
  definitionID?: string,
): Promise<Page<ListedExecution>> {
  return readFixedPage(database, executionList, projectID, filter, page, (conditions) =>
    conditions.whereGiven('x.definition_id = ?', definitionID),
  );
}

export async function findExecution(
  database: Queryable,
  projectID: string,
  executionID: string,
): Promise<DecisionExecution | undefined> {
  return firstRow<DecisionExecution>(
    database,
    `SELECT ${columns}, ${valueColumns(values)} FROM decision_executions x WHERE x.project_id = $1 AND x.id = $2`,
    [projectID, executionID],
  );
}
