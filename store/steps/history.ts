/** History of an instance: one entry per activation of a node, in order of activation, folded from the facts. */
import { unfolded, type Fact, type FactKind, type FactOf } from '@perdure/engine/contract/facts.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { firstRow, rows, type Queryable, type Database } from '../sql/database.js';
import { loadGraph } from './graphs.js';
import { isEntry, MIGRATIONS, NEAR_STEPS, type ShownFact } from './far-steps.js';
import { executionKey, parseExecutionKey } from '../sql/ids.js';
import type { Execution } from '../work/executions/executions.js';
import type { Page, PageRequest } from '../sql/page.js';
import { atOneMoment, stepsBetween, stepsNumbered, stepWith, type RecordedStep } from './recorded-steps.js';

export type ActivityStatus = 'Started' | 'Completed' | 'Failed' | 'Canceled';

export interface ActivityEntry {
  /** Number of the element instance. */
  element: number;
  nodeID: string;
  /** The kind of node in the graph: `serviceTask`. */
  nodeType: string;
  /** Number of the enclosing element instance. */
  scope: number;
  status: ActivityStatus;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Epoch milliseconds; absent while it is active. */
  endedAt?: number;
  /** Results of its input mappings. */
  inputs?: Variables;
  /** Its results in the enclosing scopes. */
  outputs?: Variables;
  /** Of its latest job or user task. */
  executionKey?: string;
  /** Whose request ended its job or user task, and the client id of the job worker. */
  actor?: string;
  clientID?: string;
  /** When its latest job was first leased, or its latest user task first assigned. */
  workStartedAt?: Date;
  /** Where connectors ran the work of its latest job on Temporal. */
  execution?: Execution;
  /** Its latest child instance. */
  childWorkflowID?: string;
  /** Inputs and outputs are omitted, because the page would be too large. */
  variablesOmitted?: true;
  /** Position in a multi-instance or loop body, from 1. */
  loopCounter?: number;
}

/** Limit on the inputs and outputs of all entries of a page, as JSON. */
const MAX_BYTES_OF_VARIABLES = 8 * 1024 * 1024;
/** Commits to read before the next binary search. */
const STEPS_AT_ONCE = 16;

/**
 * One page of the history, chronological. The cost depends on the page and its entries, not on the length of the
 * instance.
 * @param graph the graph that the instance was started with
 */
export async function listHistory(
  database: Database,
  workflowID: string,
  graph: Graph,
  { page, pageSize }: PageRequest,
): Promise<Page<ActivityEntry>> {
  const first = (page - 1) * pageSize;
  return atOneMoment(database, async (moment) => {
    const total = await countEntries(moment, workflowID);
    if (first >= total) return { data: [], total };
    const begun = await begunBetween(moment, workflowID, first, Math.min(first + pageSize, total));
    const history = newHistoryFold(workflowID, graph, {
      wanted: new Set(begun.keys()),
      bytesLeft: MAX_BYTES_OF_VARIABLES,
    });
    for await (const step of stepsNumbered(moment, workflowID, await stepsAbout(moment, workflowID, begun))) {
      await loadLaterGraphs(moment, history.laterNodeTypes, step.facts);
      fold(history, step);
    }
    const data = [...history.entries.values()];
    await addWork(moment, workflowID, data);
    return { data, total };
  });
}

const ENDS: ReadonlyMap<string, ActivityStatus> = new Map([
  ['COMPLETED', 'Completed'],
  ['FAILED', 'Failed'],
]);

interface WorkRow {
  number: number;
  status: string;
  workStartedAt: Date | null;
  actor: string | null;
  clientID: string | null;
  execution: Execution | null;
}

/** Adds what only the rows of the latest jobs and user tasks have: when work on them started, and who ended them. */
async function addWork(database: Queryable, workflowID: string, entries: readonly ActivityEntry[]): Promise<void> {
  const byNumber = new Map<number, ActivityEntry>();
  for (const entry of entries) {
    const number = entry.executionKey === undefined ? undefined : parseExecutionKey(entry.executionKey)?.number;
    if (number !== undefined) byNumber.set(number, entry);
  }
  if (byNumber.size === 0) return;
  const found = await rows<WorkRow & { [column: string]: unknown }>(
    database,
    `SELECT w.number, w.status, w.began AS "workStartedAt", c.actor, w.client AS "clientID", w.execution FROM (
       SELECT number, status, ending_command, ended_by_client AS client, first_leased_at AS began, execution FROM jobs WHERE workflow_id = $1 AND number = ANY($2::integer[])
       UNION ALL SELECT number, status, ending_command, NULL, first_assigned_at, NULL FROM user_tasks WHERE workflow_id = $1 AND number = ANY($2::integer[])
     ) w LEFT JOIN commands c ON c.workflow_id = $1 AND c.number = w.ending_command AND w.status IN ('COMPLETED', 'FAILED')`,
    [workflowID, [...byNumber.keys()]],
  );
  for (const row of found) addWorkOf(byNumber.get(row.number)!, row);
}

function addWorkOf(entry: ActivityEntry, { status, workStartedAt, actor, clientID, execution }: WorkRow): void {
  if (workStartedAt !== null) entry.workStartedAt = workStartedAt;
  if (execution !== null) entry.execution = execution;
  // An entry can end otherwise, such as by a boundary event.
  const isEndedByWork = ENDS.get(status) === entry.status && entry.endedAt !== undefined;
  if (!isEndedByWork) return;
  if (actor !== null) entry.actor = actor;
  if (clientID !== null) entry.clientID = clientID;
}

async function countEntries(database: Queryable, workflowID: string): Promise<number> {
  const instance = await firstRow<{ entries: number }>(
    database,
    'SELECT entry_count AS entries FROM instances WHERE workflow_id = $1',
    [workflowID],
  );
  return instance?.entries ?? 0;
}

/** Element instances of the entries from `first` up to `end`, each with the number of the commit that activated it. */
async function begunBetween(
  database: Queryable,
  workflowID: string,
  first: number,
  end: number,
): Promise<Map<number, number>> {
  const begun = new Map<number, number>();
  for (let next = first; next < end;) {
    const from = await stepWith(database, workflowID, 'entries', next);
    const before = next;
    for await (const { number, entriesBefore, facts } of stepsBetween(
      database,
      workflowID,
      from,
      from + STEPS_AT_ONCE - 1,
    )) {
      const elements = unfolded(facts).flatMap((fact) => (isEntry(fact) ? [fact.element] : []));
      for (const element of elements.slice(Math.max(0, first - entriesBefore), Math.max(0, end - entriesBefore)))
        begun.set(element, number);
      next = entriesBefore + elements.length;
      if (next >= end) break;
    }
    if (next <= before)
      throw new Error(
        `The history of instance ${workflowID} has no entry ${next + 1} at step ${from}: the entry counts of its step commits are wrong`,
      );
  }
  return begun;
}

/** Numbers of the commits that concern these element instances, and of those that migrated the instance. */
async function stepsAbout(
  database: Queryable,
  workflowID: string,
  begun: ReadonlyMap<number, number>,
): Promise<number[]> {
  const numbers = new Set(begun.values());
  for (let near = Math.min(...numbers); near <= NEAR_STEPS; near += 1) numbers.add(near);
  const far = await rows<{ step: number }>(
    database,
    'SELECT DISTINCT step FROM far_steps WHERE workflow_id = $1 AND subject = ANY($2::integer[])',
    [workflowID, [MIGRATIONS, ...begun.keys()]],
  );
  for (const { step } of far) numbers.add(step);
  return [...numbers];
}

/** Loads the node types of the versions that these facts migrate to. */
async function loadLaterGraphs(
  database: Queryable,
  known: Map<string, NodeTypes>,
  facts: readonly Fact[],
): Promise<void> {
  for (const fact of facts) {
    if (fact.kind !== 'INSTANCE_MIGRATED' || known.has(fact.target.graphSha256)) continue;
    const graph = await loadGraph(database, fact.target.graphSha256);
    if (graph) known.set(fact.target.graphSha256, nodeTypesOf(graph));
  }
}

type NodeTypes = ReadonlyMap<string, string>;

interface HistoryFold {
  workflowID: string;
  /** For the version that the instance runs at this point of its history. */
  nodeTypes: NodeTypes;
  /** Node types of later versions, by content address of the graph. */
  laterNodeTypes: Map<string, NodeTypes>;
  entries: Map<number, ActivityEntry>;
  /** Element instances of the page (default: all). */
  wanted?: ReadonlySet<number>;
  /** Remaining bytes for inputs and outputs, and the bytes of each entry. */
  bytesLeft: number;
  bytesOf: Map<ActivityEntry, number>;
}

function newHistoryFold(
  workflowID: string,
  graph: Graph,
  page: Partial<Pick<HistoryFold, 'wanted' | 'bytesLeft'>> = {},
): HistoryFold {
  return {
    workflowID,
    nodeTypes: nodeTypesOf(graph),
    laterNodeTypes: new Map(),
    entries: new Map(),
    bytesLeft: Infinity,
    bytesOf: new Map(),
    ...page,
  };
}

type Recorder<K extends FactKind> = (history: HistoryFold, fact: FactOf<K>, now: number) => void;

/** `none`: the fact does not appear in the history. Only facts that a page can find can have a recorder. */
const recorders: { readonly [K in FactKind]: 'none' | (K extends ShownFact ? Recorder<K> : never) } = {
  /** Active elements continue as nodes of the new version; ended ones do not change. */
  INSTANCE_MIGRATED(history, { target, nodes }) {
    history.nodeTypes = history.laterNodeTypes.get(target.graphSha256) ?? history.nodeTypes;
    const names = new Map(nodes);
    for (const entry of history.entries.values())
      if (entry.endedAt === undefined) entry.nodeID = names.get(entry.nodeID) ?? entry.nodeID;
  },
  ELEMENT_ACTIVATED({ entries, nodeTypes, wanted }, fact, now) {
    if (!isEntry(fact) || wanted?.has(fact.element) === false) return;
    const { element, node, scope, loopCounter } = fact;
    const nodeType = nodeTypes.get(node) ?? 'unknown';
    const entry: ActivityEntry = { element, nodeID: node, nodeType, scope, status: 'Started', startedAt: now };
    if (loopCounter !== undefined) entry.loopCounter = loopCounter;
    entries.set(element, entry);
  },
  ELEMENT_COMPLETED: (history, { element }, now) => end(history, element, 'Completed', now),
  ELEMENT_CANCELED: (history, { element }, now) => end(history, element, 'Canceled', now),
  ELEMENT_FAILED: (history, { element }, now) => end(history, element, 'Failed', now),

  VARIABLES_SET(history, { scope, by, role, variables }) {
    if (role === 'INPUT') update(history.entries, scope, (entry) => addVariables(history, entry, 'inputs', variables));
    if (role === 'OUTPUT' && by !== undefined)
      update(history.entries, by, (entry) => addVariables(history, entry, 'outputs', variables));
  },

  JOB_CREATED({ entries, workflowID }, { element, job, listener }) {
    if (!listener) update(entries, element, (entry) => (entry.executionKey = executionKey(workflowID, job)));
  },
  USER_TASK_CREATED({ entries, workflowID }, { element, task }) {
    update(entries, element, (entry) => (entry.executionKey = executionKey(workflowID, task)));
  },
  CHILD_CALLED({ entries }, { element, workflowID }) {
    update(entries, element, (entry) => (entry.childWorkflowID = workflowID));
  },

  INSTANCE_IMPORTED: 'none',
  INSTANCE_STARTED: 'none',
  INSTANCE_COMPLETED: 'none',
  INSTANCE_CANCELED: 'none',
  INSTANCE_FAILED: 'none',
  INSTANCE_ROTATED: 'none',
  ELEMENT_BEGUN: 'none',
  ELEMENT_CONTINUED: 'none',
  LOOP_STARTED: 'none',
  LOOP_ITEMS_KEPT: 'none',
  LOOP_OUTPUT_COLLECTED: 'none',
  COMPENSATION_REGISTERED: 'none',
  COMPENSATION_STARTED: 'none',
  COMPENSATION_ENDED: 'none',
  TOKEN_ARRIVED: 'none',
  TOKEN_CANCELED: 'none',
  TOKENS_DROPPED: 'none',
  VARIABLES_CLEARED: 'none',
  ELEMENT_DATA_SET: 'none',
  JOB_COMPLETED: 'none',
  JOB_FAILED: 'none',
  JOB_CANCELED: 'none',
  USER_TASK_REQUESTED: 'none',
  USER_TASK_DENIED: 'none',
  USER_TASK_CHANGED: 'none',
  USER_TASK_COMPLETED: 'none',
  USER_TASK_FAILED: 'none',
  USER_TASK_CANCELED: 'none',
  TIMER_STARTED: 'none',
  TIMER_FIRED: 'none',
  TIMER_CANCELED: 'none',
  SUBSCRIPTION_OPENED: 'none',
  SUBSCRIPTION_CLOSED: 'none',
  MESSAGE_PUBLISHED: 'none',
  SIGNAL_THROWN: 'none',
  CONDITION_OPENED: 'none',
  CONDITION_MET: 'none',
  CONDITION_LAPSED: 'none',
  CONDITION_CLOSED: 'none',
  ESCALATION_THROWN: 'none',
  DECISION_REQUESTED: 'none',
  DECISION_EVALUATED: 'none',
  DECISION_FAILED: 'none',
  DECISION_CANCELED: 'none',
  CHILD_ENDED: 'none',
  CHILD_CANCELED: 'none',
  INCIDENT_RAISED: 'none',
  INCIDENT_RESOLVED: 'none',
  INCIDENT_WITHDRAWN: 'none',
  STATE_MEASURED: 'none',
  COMMAND_HANDLED: 'none',
  COMMAND_DEFERRED: 'none',
  RETRY_DEFERRED: 'none',
  TICKS_MISSED: 'none',
  TIMER_CHANGED: 'none',
  PAUSE_ENDED: 'none',
  STEP_YIELDED: 'none',
  STEP_SETTLED: 'none',
};

/**
 * Folds all facts of an instance into its history.
 * @param graph the graph it was started with
 */
export function foldHistory(
  workflowID: string,
  graph: Graph,
  steps: readonly Pick<RecordedStep, 'facts' | 'now'>[],
): ActivityEntry[] {
  const history = newHistoryFold(workflowID, graph);
  for (const step of steps) fold(history, step);
  return [...history.entries.values()];
}

function fold(history: HistoryFold, { facts, now }: Pick<RecordedStep, 'facts' | 'now'>): void {
  for (const fact of unfolded(facts)) record(history, fact, now);
}

function nodeTypesOf(graph: Graph): NodeTypes {
  return new Map(graph.nodes.map(({ id, kind }) => [id, kind]));
}

/** Adds to the inputs or outputs of an entry, or omits both if the page would exceed its limit. */
function addVariables(
  history: HistoryFold,
  entry: ActivityEntry,
  member: 'inputs' | 'outputs',
  variables: Variables,
): void {
  if (entry.variablesOmitted) return;
  const had = history.bytesOf.get(entry) ?? 0;
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > history.bytesLeft) {
    delete entry.inputs;
    delete entry.outputs;
    entry.variablesOmitted = true;
    history.bytesLeft += had;
    return;
  }
  entry[member] = { ...entry[member], ...variables };
  history.bytesLeft -= bytes;
  history.bytesOf.set(entry, had + bytes);
}

function record(history: HistoryFold, fact: Fact, now: number): void {
  const recorder = recorders[fact.kind] as Recorder<FactKind> | 'none';
  if (recorder !== 'none') recorder(history, fact, now);
}

function end({ entries }: HistoryFold, element: number, status: ActivityStatus, now: number): void {
  update(entries, element, (entry) => {
    entry.status = status;
    entry.endedAt = now;
  });
}

/** Facts of the process itself belong to no entry. */
function update(entries: Map<number, ActivityEntry>, element: number, change: (entry: ActivityEntry) => void): void {
  const entry = entries.get(element);
  if (entry) change(entry);
}
