/** The waits of an instance as the API shows them: the kinds come from the state, details also from rows. */
import type { z } from 'zod';
import { modelOf, type Model } from '@perdure/engine/model/model.js';
import { openWaits, type OpenWait } from '@perdure/engine/state/open-waits.js';
import type { State } from '@perdure/engine/state/state.js';
import { countUnmatched } from '../../../../store/publications/near-misses.js';
import { readWaitRows, type WaitRows } from '../../../../store/instances/wait-rows.js';
import type { Instance } from '../../../../store/instances/instances.js';
import { executionKey } from '../../../../store/sql/ids.js';
import type { Transaction } from '../../../../store/sql/database.js';
import type { Page, PageRequest } from '../../../../store/sql/page.js';
import { stateAt } from '../../../../store/steps/replay.js';
import { targetAt, targetsInForce, type TargetInForce } from '../../../../store/targets/in-force.js';
import { optional, optionalTime, time } from '../../../contract/wire.js';
import { scopeID } from './active-scopes.js';
import { graphOf } from './find-instance.js';
import type { TaskAssignment } from '../../../access/user-task.js';
import type { wait } from './wait-schema.js';

type Wait = z.output<typeof wait>;

/** The rows of one page. */
interface Known extends WaitRows {
  workflowID: string;
  maySee(task: TaskAssignment): boolean;
  model: Model;
  createdAt: Date;
  /** Whether the instance waits for a place. */
  queued: boolean;
  /** Kept messages that do not match, by the number of the subscription. */
  unmatched: ReadonlyMap<number, number>;
  targets: readonly TargetInForce[];
}

/**
 * @param moment one moment of the database, so that state, graph, and rows agree
 * @param maySee whether the caller may see who has a user task, and process it
 */
export async function readWaits(
  moment: Transaction,
  instance: Instance,
  page: PageRequest,
  maySee: Known['maySee'],
): Promise<Page<Wait>> {
  if (instance.status !== 'RUNNING') return { data: [], total: 0 };
  const { workflowID, createdAt, projectID, processID, queued } = instance;
  const { state } = await stateAt(moment, workflowID);
  const model = modelOf(await graphOf(moment, instance.graphSha256));
  const all = openWaits(model, state);
  const shown = all.slice((page.page - 1) * page.pageSize, page.page * page.pageSize);
  const numbers = (kind: OpenWait['kind']) => shown.flatMap((open) => (open.kind === kind ? [open.id!] : []));
  const rows = await readWaitRows(moment, instance, { jobs: numbers('job'), userTasks: numbers('userTask') });
  const unmatched = await countKept(moment, projectID, shown);
  const targets = await targetsInForce(moment, projectID, [processID], createdAt.getTime());
  const known = { ...rows, workflowID, maySee, model, createdAt, queued, unmatched, targets };
  return { data: shown.map((open) => toWait(open, known)), total: all.length };
}

/** An open timer. */
export interface TimerOfInstance {
  timer: number;
  node: string;
  wait: Wait;
}

export async function waitOfTimer(
  moment: Transaction,
  { workflowID, createdAt, projectID, processID, graphSha256 }: Instance,
  state: State,
  timer: number,
): Promise<TimerOfInstance> {
  const model = modelOf(await graphOf(moment, graphSha256));
  const targets = await targetsInForce(moment, projectID, [processID], createdAt.getTime());
  const open = openWaits(model, state).find(({ kind, id }) => kind === 'timer' && id === timer)!;
  const none = { queued: false, unmatched: new Map(), jobs: new Map(), userTasks: new Map() };
  const known = { workflowID, createdAt, model, targets, ...none };
  return { timer, node: open.node!, wait: toWait(open, { ...known, maySee: () => false }) };
}

async function countKept(
  moment: Transaction,
  projectID: string,
  shown: readonly OpenWait[],
): Promise<Map<number, number>> {
  const asking = shown.flatMap((open) =>
    open.kind === 'message' || open.kind === 'signal'
      ? [{ ...open, type: open.kind, correlation: open.correlation }]
      : [],
  );
  if (asking.length === 0) return new Map();
  const counts = await countUnmatched(moment, projectID, asking);
  return new Map(asking.map(({ id }, index) => [id!, counts[index]!]));
}

type Details = { [K in OpenWait['kind']]: (open: Extract<OpenWait, { kind: K }>, known: Known) => Partial<Wait> };

const details: Details = {
  begin: (_open, { queued }) => (queued ? { heldBy: 'CONCURRENCY' } : {}),
  job: ({ id, listener }, { workflowID, jobs }) => {
    const job = jobs.get(id!);
    return {
      executionKey: executionKey(workflowID, id!),
      ...(listener && { listener }),
      ...(job && {
        taskType: job.taskType,
        retries: job.retries,
        availableAt: optionalTime(job.availableAt),
        lockedBy: optional(job.lockedBy),
        lockExpiresAt: optionalTime(job.lockExpiresAt),
        heldBy: job.heldBy,
        execution: optional(job.execution),
      }),
    };
  },
  userTask: ({ id }, { workflowID, userTasks, maySee }) => {
    const task = userTasks.get(id!);
    if (!maySee(task ?? {})) return {};
    return {
      executionKey: executionKey(workflowID, id!),
      ...(task && { assignee: optional(task.assignee), dueDate: optionalTime(task.dueDate) }),
    };
  },
  timer: ({ id, due, repeats }, { workflowID }) => ({
    timerID: executionKey(workflowID, id!),
    dueAt: time(new Date(due)),
    ...(repeats !== undefined && { repeats }),
  }),
  message: subscription,
  signal: subscription,
  condition: ({ expression }) => (expression === undefined ? {} : { expression: cut(expression) }),
  call: ({ workflowID }) => ({ workflowID }),
  decision: () => ({}),
  join: ({ missingFlows }) => ({ missingFlows }),
  adHoc: () => ({}),
  incident: ({ id, errorType }, { workflowID }) => ({ incidentID: executionKey(workflowID, id!), errorType }),
};

function subscription(
  { id, name, correlation }: Extract<OpenWait, { kind: 'message' | 'signal' }>,
  { unmatched }: Known,
): Partial<Wait> {
  const isShown = correlation !== undefined && JSON.stringify(correlation).length <= MAX_CORRELATION_LENGTH;
  return { name, ...(isShown && { correlationKeys: correlation }), keptUnmatched: unmatched.get(id!) ?? 0 };
}

function toWait(open: OpenWait, known: Known): Wait {
  const { kind, node, scope } = open;
  const since = open.since === undefined ? known.createdAt : new Date(open.since);
  const own = (details[kind] as (open: OpenWait, known: Known) => Partial<Wait>)(open, known);
  return {
    kind,
    nodeID: node,
    nodeName: node === undefined ? undefined : known.model.find(node)?.name,
    scopeID: scope === undefined ? undefined : scopeID(scope),
    since: time(since),
    overTarget: isOverTarget(known.targets, node, since),
    ...own,
  };
}

function isOverTarget(targets: readonly TargetInForce[], node: string | undefined, since: Date): boolean {
  const target = node === undefined ? undefined : targetAt(targets, node, since.getTime());
  return target !== undefined && Date.now() - since.getTime() > target.durationMs;
}

const MAX_CORRELATION_LENGTH = 4096;
const MAX_EXPRESSION_LENGTH = 1000;

function cut(text: string): string {
  return text.length > MAX_EXPRESSION_LENGTH ? `${text.slice(0, MAX_EXPRESSION_LENGTH)}…` : text;
}
