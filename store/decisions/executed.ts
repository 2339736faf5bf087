/** Evaluations of stored decisions requested by API clients. */
import { firstRow, type Queryable } from '../sql/database.js';
import { Filter, listPage, type Page, type PageRequest } from '../sql/page.js';
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

const columns = `
  x.id AS "executionID", x.definition_id AS "definitionID", x.definitions_id AS "definitionsID", x.business_id AS "businessID",
  x.executed_at AS "executedAt", x.executed_by AS "executedBy", x.inputs, x.outputs`;

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

export interface ExecutionFilter {
  definitionID?: string | undefined;
  definitionsID?: string | undefined;
  businessID?: string | undefined;
  /** Executed at this time or later. */
  since?: Date | undefined;
}

/** Newest first. */
export function listExecutions(
  database: Queryable,
  projectID: string,
  wanted: ExecutionFilter,
  page: PageRequest,
): Promise<Page<DecisionExecution>> {
  const filter = new Filter()
    .where('x.project_id = ?', projectID)
    .whereGiven('x.definition_id = ?', wanted.definitionID)
    .whereGiven('x.definitions_id = ?', wanted.definitionsID)
    .whereGiven('x.business_id = ?', wanted.businessID)
    .whereGiven('x.executed_at >= ?', wanted.since);
  return listPage<DecisionExecution>(
    database,
    { columns, table: 'decision_executions x', filter, orderBy: 'x.number DESC' },
    page,
  );
}

export async function findExecution(
  database: Queryable,
  projectID: string,
  executionID: string,
): Promise<DecisionExecution | undefined> {
  return firstRow<DecisionExecution>(
    database,
    `SELECT ${columns} FROM decision_executions x WHERE x.project_id = $1 AND x.id = $2`,
    [projectID, executionID],
  );
}
