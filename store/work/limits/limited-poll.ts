/**
 * Polls that ask for a limited type. One transaction locks the limits, reads what is used of them, and leases: so no other
 * poll of these types, in any process, leases in between. Of a process, one poll of a type at a time waits for the lock.
 */
import { randomBytes } from 'node:crypto';
import { KeyedMutex } from '@perdure/lib/keyed-mutex.js';
import { ordinaryProjectOf } from '../../projects/tests.js';
import { jobsKey } from '../../sql/announcements.js';
import { preparedRows, rows, type Database, type Queryable, type Transaction } from '../../sql/database.js';
import { indexedText } from '../../sql/text.js';
import { pollValues, type LeasedRecord, type PollOptions, type PollRequest } from '../poll-request.js';
import { headsByPathStatement, headsStatement, JOBS_PER_LONGEST } from '../poll-statement.js';
import { chooseJobs, type Candidate, type Chosen, type Group, type Head, type ReadQueues } from './choose-jobs.js';
import { countLeases, isLimited } from './limits.js';
import {
  leaseLimitedStatement,
  limitedHeadsStatement,
  limitedQueuesStatement,
  type HeadRow,
} from './poll-statements.js';

type PollUnlimited = (
  database: Queryable,
  request: PollRequest,
  options: PollOptions,
) => Promise<LeasedRecord[] | 'limited'>;

/** By type. */
const turns = new KeyedMutex();

/**
 * Leases jobs of limited types, and of others that the request names.
 * @returns undefined if the limits have changed in between
 */
export async function pollLimited(
  database: Database,
  request: PollRequest,
  options: PollOptions,
  pollUnlimited: PollUnlimited,
): Promise<LeasedRecord[] | undefined> {
  const keys = (await limitedTypes(database, request)).map(({ taskType }) => jobsKey(request.projectID, taskType));
  return inTurn(keys, async () => {
    const polled = await database.transaction(async (transaction) => {
      const limits = await limitedTypes(transaction, request, 'FOR NO KEY UPDATE OF l');
      const uncounted = limits.find(({ isCounting }) => isCounting);
      if (uncounted) return { uncounted: uncounted.taskType };
      const taskTypes = limits.map(({ taskType }) => taskType);
      return { leased: await leaseIn(transaction, request, options, taskTypes, pollUnlimited) };
    });
    if (polled.uncounted === undefined) return polled.leased;
    await countLeases(database, ordinaryProjectOf(request.projectID), polled.uncounted);
    return undefined;
  });
}

/** Types are in order, so that no poll waits for one that waits for it. */
function inTurn<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
  const [key, ...others] = keys.toSorted();
  return key === undefined ? work() : turns.run(key, () => inTurn(others, work));
}

interface LimitedType {
  taskType: string;
  /** Whether its earlier leases do not count yet. */
  isCounting: boolean;
}

/** The requested types with a limit. */
function limitedTypes(database: Queryable, { projectID, types }: PollRequest, lock = ''): Promise<LimitedType[]> {
  return rows<LimitedType>(
    database,
    `SELECT l.task_type AS "taskType", l.counting IS NOT NULL AS "isCounting" FROM job_limits l
     WHERE l.project_id = $1 AND l.task_type = ANY($2::text[]) AND ${isLimited('l')} ORDER BY l.task_type ${lock}`,
    [ordinaryProjectOf(projectID), types.map(({ taskType }) => indexedText(taskType))],
  );
}

/** @param limited types whose limits the transaction has locked */
async function leaseIn(
  transaction: Transaction,
  request: PollRequest,
  options: PollOptions,
  limited: readonly string[],
  pollUnlimited: PollUnlimited,
): Promise<LeasedRecord[] | undefined> {
  if (limited.length === 0) return undefined;
  const chosen: Chosen[][] = [];
  for (const taskType of limited) chosen.push(await chooseOf(transaction, request, options, taskType));
  const others = request.types.filter(({ taskType }) => !limited.includes(indexedText(taskType)));
  if (others.length === 0) return leaseChosen(transaction, request, firstOf(chosen, request.maxJobs));
  const otherRequest = { ...request, types: others };
  const heads = await headsOfOthers(transaction, otherRequest);
  if (heads === undefined) return undefined;
  const ofOthers = firstOf([heads, ...chosen], request.maxJobs).filter((job) => !isChosen(job)).length;
  const leased =
    ofOthers === 0 ? [] : await pollUnlimited(transaction, { ...otherRequest, maxJobs: ofOthers }, options);
  if (leased === 'limited') return undefined;
  const left = firstOf(chosen, request.maxJobs - leased.length);
  return [...leased, ...(await leaseChosen(transaction, request, left))].toSorted((a, b) => b.priority - a.priority);
}

interface Ranked {
  priority: number;
  availableAt: number;
}

function isChosen(job: Ranked | Chosen): job is Chosen {
  return 'workflowID' in job;
}

/** The first jobs of several lists, each of which stays in its order. */
function firstOf<Job extends Ranked>(lists: readonly (readonly Job[])[], count: number): Job[] {
  const taken = lists.map(() => 0);
  const merged: Job[] = [];
  while (merged.length < count) {
    let next: number | undefined;
    lists.forEach((list, index) => {
      const job = list[taken[index]!];
      const other = next === undefined ? undefined : lists[next]![taken[next]!]!;
      if (job && (!other || isBefore(job, other))) next = index;
    });
    if (next === undefined) break;
    merged.push(lists[next]![taken[next]!]!);
    taken[next]! += 1;
  }
  return merged;
}

function isBefore(one: Ranked, other: Ranked): boolean {
  return one.priority > other.priority || (one.priority === other.priority && one.availableAt < other.availableAt);
}

/** The jobs that a poll of the types without a limit would lease; undefined if one has got a limit. */
async function headsOfOthers(transaction: Transaction, request: PollRequest): Promise<Ranked[] | undefined> {
  type Row = { isSuspended: boolean; isLimited: boolean; priority: number | null; availableAt: number };
  const values = pollValues(request).slice(0, 3);
  let found = await preparedRows<Row>(transaction, 'heads of queues', headsStatement, values);
  if (found[0]?.isSuspended)
    found = await preparedRows<Row>(transaction, 'heads of queues by path', headsByPathStatement, values);
  if (found[0]?.isLimited) return undefined;
  return found.flatMap(({ priority, availableAt }) => (priority === null ? [] : [{ priority, availableAt }]));
}

async function chooseOf(
  transaction: Transaction,
  { projectID, maxJobs }: PollRequest,
  { untilLongest: untilLongestOf = () => JOBS_PER_LONGEST, onHeld }: PollOptions,
  taskType: string,
): Promise<Chosen[]> {
  const untilLongest = untilLongestOf(taskType);
  const longestKeys = untilLongest <= maxJobs ? maxJobs : 0;
  const of = { projectID, taskType, longestKeys };
  let found = await readHeads(transaction, { ...of, keys: maxJobs });
  // Jobs at the head of a queue can be of instances that do not run. They are fewer keys then.
  if (!found.isWhole && new Set(found.heads.map(({ group }) => group)).size < maxJobs)
    found = await readHeads(transaction, { ...of, keys: MAX_INTEGER });
  const { heads, opensIn } = found;
  if (opensIn !== null) onHeld?.(taskType, Math.max(0, opensIn));
  const readQueues: ReadQueues = (wanted) => readQueuesOf(transaction, projectID, taskType, wanted);
  const groups = new Map(heads.map((head): [string, Group] => [head.group, head]));
  return chooseJobs({ heads, groups: [...groups.values()], maxJobs, untilLongest }, readQueues);
}

const MAX_INTEGER = 2_147_483_647;

interface Heads {
  heads: (Head & Group)[];
  opensIn: number | null;
  isWhole: boolean;
}

/** @param of `keys`, `longestKeys`: how many of them are compared */
async function readHeads(
  transaction: Transaction,
  of: { projectID: string; taskType: string; keys: number; longestKeys: number },
): Promise<Heads> {
  const found = await preparedRows<HeadRow>(transaction, 'heads of a limited type', limitedHeadsStatement, [
    of.projectID,
    of.taskType,
    randomBytes(16).toString('base64url'),
    of.keys,
    of.longestKeys,
  ]);
  const { opensIn, isWhole } = found[0]!;
  const heads = found.flatMap(({ group, opensIn: _opensIn, isWhole: _isWhole, ...head }) =>
    group === null ? [] : [{ ...head, group }],
  );
  return { heads, opensIn, isWhole };
}

async function readQueuesOf(
  transaction: Transaction,
  projectID: string,
  taskType: string,
  wanted: Parameters<ReadQueues>[0],
): Promise<Candidate[][]> {
  const found = await preparedRows<Candidate & { place: number }>(
    transaction,
    'queues of a limited type',
    limitedQueuesStatement,
    [
      projectID,
      taskType,
      wanted.map(({ head }) => head.group),
      wanted.map(({ head }) => head.priority),
      wanted.map(({ count }) => count),
    ],
  );
  const queues = wanted.map((): Candidate[] => []);
  for (const { place, ...job } of found) queues[place - 1]!.push(job);
  return queues;
}

async function leaseChosen(
  transaction: Transaction,
  request: PollRequest,
  chosen: readonly Chosen[],
): Promise<LeasedRecord[]> {
  if (chosen.length === 0) return [];
  const [projectID, types, , clientID, leases, , , names] = pollValues(request);
  return preparedRows<LeasedRecord>(transaction, 'lease limited jobs', leaseLimitedStatement, [
    projectID,
    types,
    chosen.map(({ workflowID }) => workflowID),
    clientID,
    leases,
    chosen.map(({ number }) => number),
    chosen.map(({ isLongest }) => isLongest),
    names,
  ]);
}
