/**
 * Turns of agents. A turn is one request to a model and its answer. Its row is written before the request is sent, with
 * the tokens that the request can take. The first answer that is stored counts, whichever connector has received it.
 */
import type { Json } from '@perdure/engine/contract/json.js';
import { firstRow, rows, type Database, type Queryable, type Transaction } from '../../sql/database.js';
import type { Page, PageRequest } from '../../sql/page.js';
import { isLeased } from '../leases.js';

/** An activation of an ad-hoc sub-process that is an agent. */
export interface Conversation {
  readonly workflowID: string;
  readonly element: number;
}

/** A call of a tool by the model. */
export interface ToolCall {
  /** Given by the connector: unique in the conversation. */
  readonly id: string;
  readonly elementId: string;
  /** Absent if the call cannot run. */
  readonly arguments?: { readonly [name: string]: Json };
  /** For the model, instead of a result. */
  readonly problem?: string;
  /** Once it was sent to the model. */
  readonly result?: Json;
  /** The decision of a person, if the call needed one. */
  readonly approved?: boolean;
}

export interface Answer {
  readonly text: string | null;
  readonly calls: readonly ToolCall[];
  readonly failure: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** A turn without an answer has no calls. */
export interface AgentTurn extends Answer {
  readonly element: number;
  readonly model: string;
  readonly turn: number;
  readonly job: number;
  /** Whether its job has completed, so that its calls were started. */
  readonly isActedOn: boolean;
  readonly startedAt: Date;
  readonly durationMs: number | null;
  readonly isAnswered: boolean;
  readonly countedTokens: number;
}

const columns = `t.element, t.model, t.turn, t.job, coalesce(j.status = 'COMPLETED', false) AS "isActedOn", t.started_at AS "startedAt",
  t.duration_ms AS "durationMs", t.answered_at IS NOT NULL AS "isAnswered", t.input_tokens AS "inputTokens",
  t.output_tokens AS "outputTokens", t.counted_tokens::float8 AS "countedTokens", t.failure`;

const job = 'LEFT JOIN jobs j ON j.workflow_id = t.workflow_id AND j.number = t.job';

/** The whole conversation. Its size is bounded, because every request repeats it. */
export async function readConversation(
  database: Queryable,
  { workflowID, element }: Conversation,
): Promise<AgentTurn[]> {
  return rows<AgentTurn>(
    database,
    `SELECT ${columns}, t.text, t.calls FROM agent_turns t ${job} WHERE t.workflow_id = $1 AND t.element = $2 ORDER BY t.turn`,
    [workflowID, element],
  );
}

/** A turn in a list. */
export interface ListedTurn extends AgentTurn {
  /** Text and calls are left out, because the page would be too large. */
  readonly isOmitted: boolean;
}

/** Texts, arguments, and results of one page. A turn takes about a megabyte at most. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Turns of all activations of the node, in order. */
export async function listAgentTurns(
  database: Queryable,
  projectID: string,
  workflowID: string,
  nodeID: string,
  { page, pageSize }: PageRequest,
): Promise<Page<ListedTurn>> {
  const found = `FROM agent_turns t JOIN instances i ON i.workflow_id = t.workflow_id
    WHERE i.project_id = $1 AND t.workflow_id = $2 AND t.node_id = $3`;
  const values = [projectID, workflowID, nodeID];
  const data = await rows<ListedTurn>(
    database,
    `WITH page AS (
       SELECT t.* ${found} ORDER BY t.element, t.turn LIMIT $4 OFFSET $5
     ), t AS (
       SELECT p.*, sum(octet_length(coalesce(p.text, '')) + octet_length(p.calls::text)) OVER (ORDER BY p.element, p.turn) > ${MAX_PAGE_BYTES}
         AS is_omitted FROM page p
     )
     SELECT ${columns}, is_omitted AS "isOmitted", CASE WHEN NOT is_omitted THEN t.text END AS text,
       CASE WHEN is_omitted THEN '[]' ELSE t.calls END AS calls FROM t ${job} ORDER BY t.element, t.turn`,
    [...values, pageSize, (page - 1) * pageSize],
  );
  const [count] = await rows<{ total: number }>(database, `SELECT count(*)::float8 AS total ${found}`, values);
  return { data, total: count!.total };
}

/** Reported tokens of the answered turns of one model with a price, or (null) of all other models. */
export interface TokenSum {
  readonly model: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly turnsWithoutCost: number;
}

/**
 * Sums over all turns of all activations of the node.
 * @param priced the models to sum apart. An instance can have asked any number of others.
 */
export async function sumTokens(
  database: Queryable,
  projectID: string,
  workflowID: string,
  nodeID: string,
  priced: readonly string[],
): Promise<TokenSum[]> {
  return rows<TokenSum>(
    database,
    `SELECT s.model, coalesce(sum(t.input_tokens), 0)::float8 AS "inputTokens", coalesce(sum(t.output_tokens), 0)::float8 AS "outputTokens",
       count(*) FILTER (WHERE s.model IS NULL OR t.input_tokens IS NULL OR t.output_tokens IS NULL)::float8 AS "turnsWithoutCost"
     FROM agent_turns t JOIN instances i ON i.workflow_id = t.workflow_id
       CROSS JOIN LATERAL (SELECT CASE WHEN t.model = ANY ($4) THEN t.model END AS model) s
     WHERE i.project_id = $1 AND t.workflow_id = $2 AND t.node_id = $3 AND t.answered_at IS NOT NULL
     GROUP BY s.model`,
    [projectID, workflowID, nodeID, priced],
  );
}

/** A lease on the job of the sub-process. */
export interface JobLease {
  readonly number: number;
  readonly clientID: string;
  readonly leaseToken: string;
}

export interface Sending {
  readonly turn: number;
  readonly nodeID: string;
  readonly model: string;
  /** Estimated input and reserved output. */
  readonly tokens: number;
  readonly maxTokens: number | undefined;
  /** The calls of the turn before, with their results. */
  readonly told: readonly ToolCall[] | undefined;
}

/** Counts a request that is about to be sent. Only the holder of the lease can send one, so that no two pass the limit together. */
export function beginSending(
  database: Database,
  conversation: Conversation,
  lease: JobLease,
  sending: Sending,
): Promise<'BEGUN' | 'LEASE_LOST' | 'EXHAUSTED'> {
  const { workflowID, element } = conversation;
  const { turn, nodeID, model, tokens, maxTokens, told } = sending;
  return database.transaction(async (transaction) => {
    if (!(await isHeld(transaction, workflowID, lease))) return 'LEASE_LOST';
    const counted = maxTokens === undefined ? 0 : await countedTokens(transaction, conversation);
    if (maxTokens !== undefined && counted + tokens > maxTokens) return 'EXHAUSTED';
    if (told)
      await transaction.query(
        'UPDATE agent_turns SET calls = $4::json WHERE workflow_id = $1 AND element = $2 AND turn = $3 - 1',
        [workflowID, element, turn, JSON.stringify(told)],
      );
    await transaction.query(
      `INSERT INTO agent_turns AS t (workflow_id, element, turn, node_id, job, counted_tokens, model) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (workflow_id, element, turn) DO UPDATE SET job = greatest(t.job, excluded.job), started_at = now(), model = excluded.model,
         counted_tokens = t.counted_tokens + CASE WHEN t.answered_at IS NULL THEN excluded.counted_tokens ELSE 0 END`,
      [workflowID, element, turn, nodeID, lease.number, tokens, model],
    );
    // A migration can have renamed the node.
    await transaction.query(
      'UPDATE agent_turns SET node_id = $3 WHERE workflow_id = $1 AND element = $2 AND node_id <> $3',
      [workflowID, element, nodeID],
    );
    return 'BEGUN';
  });
}

async function isHeld(
  transaction: Transaction,
  workflowID: string,
  { number, clientID, leaseToken }: JobLease,
): Promise<boolean> {
  const held = await firstRow(
    transaction,
    `SELECT 1 FROM jobs WHERE workflow_id = $1 AND number = $2 AND ${isLeased({ client: '$3', lease: '$4' })}
       AND status = 'PENDING' AND ending_command IS NULL FOR NO KEY UPDATE`,
    [workflowID, number, clientID, leaseToken],
  );
  return held !== undefined;
}

async function countedTokens(transaction: Transaction, { workflowID, element }: Conversation): Promise<number> {
  const found = await firstRow<{ counted: number }>(
    transaction,
    'SELECT coalesce(sum(counted_tokens), 0)::float8 AS counted FROM agent_turns WHERE workflow_id = $1 AND element = $2',
    [workflowID, element],
  );
  return found!.counted;
}

/** Gives back what was reserved for a request that the provider has refused. */
export async function takeBackTokens(
  database: Queryable,
  { workflowID, element }: Conversation,
  turn: number,
  tokens: number,
): Promise<void> {
  await database.query(
    `UPDATE agent_turns SET counted_tokens = counted_tokens - $4
     WHERE workflow_id = $1 AND element = $2 AND turn = $3 AND answered_at IS NULL`,
    [workflowID, element, turn, tokens],
  );
}

/**
 * Stores the answer, unless the turn has one, or the instance has ended: then it may have been redacted.
 * @param reserved for its request
 */
export async function storeAnswer(
  database: Queryable,
  { workflowID, element }: Conversation,
  turn: number,
  { text, calls, failure, inputTokens, outputTokens }: Answer,
  { reserved, used, durationMs }: { reserved: number; used: number; durationMs: number },
): Promise<void> {
  await database.query(
    `UPDATE agent_turns SET answered_at = now(), duration_ms = $4, text = $5, calls = $6::json, failure = $7, input_tokens = $8,
       output_tokens = $9, counted_tokens = counted_tokens - $10 + $11
     WHERE workflow_id = $1 AND element = $2 AND turn = $3 AND answered_at IS NULL
       AND EXISTS (SELECT 1 FROM instances i WHERE i.workflow_id = $1 AND i.status = 'RUNNING')`,
    [
      workflowID,
      element,
      turn,
      durationMs,
      text,
      JSON.stringify(calls),
      failure,
      inputTokens,
      outputTokens,
      reserved,
      used,
    ],
  );
}

/**
 * Takes on an answered turn: its calls are started when this job completes. A later job cannot be followed by an earlier one.
 * @returns false if a later job has taken it on
 */
export async function takeOnTurn(
  database: Queryable,
  { workflowID, element }: Conversation,
  turn: number,
  job: number,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'UPDATE agent_turns SET job = $4 WHERE workflow_id = $1 AND element = $2 AND turn = $3 AND job <= $4',
    [workflowID, element, turn, job],
  );
  return rowCount === 1;
}
