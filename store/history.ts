/**
 * What an instance did: one entry for each activation of a node, in the order of activation. Folded from the facts.
 */
import type { Fact, FactKind, FactOf } from '../engine/facts.js';
import type { Graph } from '../engine/graph.js';
import type { Variables } from '../engine/json.js';
import { ROOT } from '../engine/state.js';
import type { Queryable } from './database.js';
import { loadGraph } from './graphs.js';
import { executionKey } from './ids.js';
import type { Page, PageRequest } from './page.js';
import { readParks, type RecordedPark } from './replay.js';

export type ActivityStatus = 'Started' | 'Completed' | 'Failed' | 'Canceled';

export interface ActivityEntry {
  /** Number of the element instance. */
  element: number;
  nodeID: string;
  /** The kind of node in the graph: `serviceTask`. */
  nodeType: string;
  /** Number of the element instance around it. */
  scope: number;
  status: ActivityStatus;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Epoch milliseconds; absent while it is active. */
  endedAt?: number;
  /** What its input mappings gave it. */
  inputs?: Variables;
  /** What it gave to the scopes around it. */
  outputs?: Variables;
  /** Of its latest job or user task. */
  executionKey?: string;
  /** The latest instance it called. */
  childWorkflowID?: string;
  /** Position in a multi-instance or loop body, from 1. */
  loopCounter?: number;
}

/**
 * One page of the history, chronological.
 * @param graph the one the instance was started with
 */
export async function listHistory(
  database: Queryable,
  workflowID: string,
  graph: Graph,
  { page, pageSize }: PageRequest,
): Promise<Page<ActivityEntry>> {
  const parks = await readParks(database, workflowID);
  const entries = foldHistory(workflowID, graph, parks, await laterGraphs(database, parks));
  return { data: entries.slice((page - 1) * pageSize, page * pageSize), total: entries.length };
}

/** Graphs by the content address that migrations name. */
async function laterGraphs(database: Queryable, parks: readonly RecordedPark[]): Promise<Map<string, Graph>> {
  const graphs = new Map<string, Graph>();
  for (const fact of parks.flatMap(({ facts }) => facts)) {
    if (fact.kind !== 'INSTANCE_MIGRATED' || graphs.has(fact.target.graphSha256)) continue;
    const graph = await loadGraph(database, fact.target.graphSha256);
    if (graph) graphs.set(fact.target.graphSha256, graph);
  }
  return graphs;
}

interface Folding {
  workflowID: string;
  /** Of the version that the instance runs at this point of its history. */
  nodeTypes: ReadonlyMap<string, string>;
  laterGraphs: ReadonlyMap<string, Graph>;
  entries: Map<number, ActivityEntry>;
}

type Recorder<K extends FactKind> = (folding: Folding, fact: FactOf<K>, now: number) => void;

const recorders: { [K in FactKind]?: Recorder<K> } = {
  /** What is active goes on as a node of the new version; what has ended stays what it was. */
  INSTANCE_MIGRATED(folding, { target, nodes }) {
    const graph = folding.laterGraphs.get(target.graphSha256);
    if (graph) folding.nodeTypes = nodeTypesOf(graph);
    const names = new Map(nodes);
    for (const entry of folding.entries.values()) if (entry.endedAt === undefined) entry.nodeID = names.get(entry.nodeID) ?? entry.nodeID;
  },
  ELEMENT_ACTIVATED({ entries, nodeTypes }, { element, node, scope, loopCounter }, now) {
    // The process itself is the instance, not an activity in it.
    if (element === ROOT) return;
    const nodeType = nodeTypes.get(node) ?? 'unknown';
    const entry: ActivityEntry = { element, nodeID: node, nodeType, scope, status: 'Started', startedAt: now };
    if (loopCounter !== undefined) entry.loopCounter = loopCounter;
    entries.set(element, entry);
  },
  ELEMENT_COMPLETED: (folding, { element }, now) => end(folding, element, 'Completed', now),
  ELEMENT_CANCELED: (folding, { element }, now) => end(folding, element, 'Canceled', now),
  ELEMENT_FAILED: (folding, { element }, now) => end(folding, element, 'Failed', now),

  VARIABLES_SET({ entries }, { scope, by, role, variables }) {
    if (role === 'INPUT') update(entries, scope, (entry) => (entry.inputs = { ...entry.inputs, ...variables }));
    if (role === 'OUTPUT' && by !== undefined) update(entries, by, (entry) => (entry.outputs = { ...entry.outputs, ...variables }));
  },

  JOB_CREATED({ entries, workflowID }, { element, job }) {
    update(entries, element, (entry) => (entry.executionKey = executionKey(workflowID, job)));
  },
  USER_TASK_CREATED({ entries, workflowID }, { element, task }) {
    update(entries, element, (entry) => (entry.executionKey = executionKey(workflowID, task)));
  },
  CHILD_CALLED({ entries }, { element, workflowID }) {
    update(entries, element, (entry) => (entry.childWorkflowID = workflowID));
  },
};

/**
 * Folds all facts of an instance into its history.
 * @param graph the one it was started with
 * @param laterGraphs those it was migrated to, by content address
 */
export function foldHistory(workflowID: string, graph: Graph, parks: readonly RecordedPark[], laterGraphs: ReadonlyMap<string, Graph> = new Map()): ActivityEntry[] {
  const folding: Folding = { workflowID, nodeTypes: nodeTypesOf(graph), laterGraphs, entries: new Map() };
  for (const { facts, now } of parks) for (const fact of facts) record(folding, fact, now);
  return [...folding.entries.values()];
}

function nodeTypesOf(graph: Graph): Map<string, string> {
  return new Map(graph.nodes.map(({ id, kind }) => [id, kind]));
}

function record(folding: Folding, fact: Fact, now: number): void {
  (recorders[fact.kind] as Recorder<FactKind> | undefined)?.(folding, fact, now);
}

function end({ entries }: Folding, element: number, status: ActivityStatus, now: number): void {
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
