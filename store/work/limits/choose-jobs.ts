/**
 * Choosing the jobs that a poll leases of one limited type: by priority, then the key that was served longest ago, then
 * the longest available. The caller holds the lock of the type, so nothing is served in between.
 */
import { JOBS_PER_LONGEST } from '../poll-statement.js';

/** A job that can be leased. Its times are in seconds since the epoch. */
export interface Candidate {
  workflowID: string;
  number: number;
  availableAt: number;
}

/** The jobs of one key and one priority. */
export interface Head extends Candidate {
  /** Empty: jobs without a key. */
  group: string;
  priority: number;
}

/** The jobs of one key. */
export interface Group {
  group: string;
  /** How many more can be leased now. */
  room: number;
  /** When a job of it was last leased; null if never. */
  servedAt: number | null;
}

export interface Chosen extends Candidate {
  priority: number;
  /** Whether it was chosen as the longest available, whatever its priority. */
  isLongest: boolean;
}

/** Reads the first `count` jobs of each queue, in order. */
export type ReadQueues = (wanted: readonly { head: Head; count: number }[]) => Promise<Candidate[][]>;

/** The jobs of one key and one priority, while a poll takes some of them. */
interface Queue {
  readonly head: Head;
  readonly place: Place;
  /** In order; more of them are read when they are needed. */
  jobs: Candidate[];
  /** Whether no job comes after `jobs`. */
  isWhole: boolean;
  taken: number;
}

/** A key, while a poll takes jobs of it. */
interface Place {
  room: number;
  readonly servedAt: number;
  /** The last turn in this poll, from 1; 0 if it had none. */
  turn: number;
}

export interface Choice {
  heads: readonly Head[];
  groups: readonly Group[];
  maxJobs: number;
  /** After how many jobs one must be the longest available. */
  untilLongest: number;
}

/** @returns at most `maxJobs` jobs in their order */
export async function chooseJobs(choice: Choice, readQueues: ReadQueues): Promise<Chosen[]> {
  const { heads, groups, maxJobs } = choice;
  const places = new Map(
    groups.map(({ group, room, servedAt }): [string, Place] => [
      group,
      { room, servedAt: servedAt ?? -Infinity, turn: 0 },
    ]),
  );
  const queues = heads.map((head): Queue => ({
    head,
    place: places.get(head.group)!,
    jobs: [head],
    isWhole: false,
    taken: 0,
  }));
  const chosen: Chosen[] = [];
  let untilLongest = choice.untilLongest;
  const take = (queue: Queue, isLongest: boolean) => {
    chosen.push({ ...queue.jobs[queue.taken]!, priority: queue.head.priority, isLongest });
    queue.taken += 1;
    queue.place.room -= 1;
    queue.place.turn = chosen.length;
    untilLongest = isLongest ? JOBS_PER_LONGEST : untilLongest - 1;
  };
  for (const priority of new Set(heads.map((head) => head.priority).toSorted((a, b) => b - a))) {
    const ofPriority = queues.filter(({ head }) => head.priority === priority);
    await fill(ofPriority, maxJobs - chosen.length, readQueues);
    while (chosen.length < maxJobs) {
      const isLongest = untilLongest <= 1;
      const best = () => (isLongest ? longestOf(queues.filter(isOpen)) : nextOf(ofPriority.filter(isOpen)));
      let next = best();
      const unread = isLongest ? queues.filter(isUsedUp) : ofPriority.filter((queue) => comesBefore(queue, next));
      if (unread.length > 0) {
        await readOn(unread, maxJobs - chosen.length, readQueues);
        next = best();
      }
      if (!next) break;
      take(next, isLongest);
    }
    if (chosen.length === maxJobs) break;
  }
  return chosen.toSorted((a, b) => b.priority - a.priority);
}

function isOpen({ place, jobs, taken }: Queue): boolean {
  return place.room > 0 && taken < jobs.length;
}

/** Whether it may have jobs after those that were read and taken. */
function isUsedUp({ place, jobs, isWhole, taken }: Queue): boolean {
  return place.room > 0 && !isWhole && taken === jobs.length;
}

/** Whether the next job of the queue, which is not read, has its turn before that of `other`. */
function comesBefore(queue: Queue, other: Queue | undefined): boolean {
  return isUsedUp(queue) && (!other || queue.place.turn < other.place.turn);
}

/** Reads as many jobs as the poll will usually take of each queue: each other one has its turn before a second turn of this one. */
async function fill(queues: readonly Queue[], left: number, readQueues: ReadQueues): Promise<void> {
  const most = left - queues.filter(isOpen).length + 1;
  const filled = queues.filter(({ place, taken }) => place.room > 0 && (most > 1 || taken > 0));
  await readFirst(filled, (queue) => queue.taken + Math.min(queue.place.room, Math.max(most, 1)), readQueues);
}

/** Reads all that the poll can take. */
async function readOn(queues: readonly Queue[], left: number, readQueues: ReadQueues): Promise<void> {
  await readFirst(queues, (queue) => queue.taken + Math.min(queue.place.room, left), readQueues);
}

async function readFirst(
  queues: readonly Queue[],
  countOf: (queue: Queue) => number,
  readQueues: ReadQueues,
): Promise<void> {
  if (queues.length === 0) return;
  const wanted = queues.map((queue) => ({ head: queue.head, count: countOf(queue) }));
  const read = await readQueues(wanted);
  queues.forEach((queue, index) => {
    const known = queue.jobs;
    queue.jobs = [...known, ...read[index]!.filter((job) => !known.some((other) => isSame(job, other)))];
    queue.isWhole = read[index]!.length < wanted[index]!.count;
  });
}

function isSame(one: Candidate, other: Candidate): boolean {
  return one.workflowID === other.workflowID && one.number === other.number;
}

function longestOf(queues: readonly Queue[]): Queue | undefined {
  return least(queues, (a, b) => nextJob(a).availableAt - nextJob(b).availableAt);
}

function nextOf(queues: readonly Queue[]): Queue | undefined {
  return least(
    queues,
    (a, b) =>
      a.place.turn - b.place.turn ||
      compare(a.place.servedAt, b.place.servedAt) ||
      nextJob(a).availableAt - nextJob(b).availableAt,
  );
}

function nextJob({ jobs, taken }: Queue): Candidate {
  return jobs[taken]!;
}

/** Two keys that were never served differ by nothing, and not by NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function least<Item>(items: readonly Item[], order: (a: Item, b: Item) => number): Item | undefined {
  return items.reduce<Item | undefined>(
    (first, item) => (first === undefined || order(item, first) < 0 ? item : first),
    undefined,
  );
}
