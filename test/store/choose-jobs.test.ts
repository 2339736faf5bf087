/** The choice of a poll against an oracle that picks one job after the other with all jobs in sight. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  chooseJobs,
  type Candidate,
  type Choice,
  type Head,
  type ReadQueues,
} from '../../store/work/limits/choose-jobs.js';
import { JOBS_PER_LONGEST } from '../../store/work/poll-statement.js';

interface GivenJob {
  group: string;
  priority: number;
  availableAt: number;
}

interface GivenGroup {
  room: number;
  servedAt: number | null;
}

const groupNames = ['', 'a', 'b', 'c'];

const cases = fc.record({
  jobs: fc.array(
    fc.record({
      group: fc.constantFrom(...groupNames),
      priority: fc.integer({ min: -1, max: 1 }),
      availableAt: fc.integer({ min: 0, max: 1_000_000 }),
    }),
    { maxLength: 40 },
  ),
  groups: fc.array(
    fc.record({
      room: fc.integer({ min: 1, max: 6 }),
      servedAt: fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: null }),
    }),
    { minLength: groupNames.length, maxLength: groupNames.length },
  ),
  maxJobs: fc.integer({ min: 1, max: 30 }),
  untilLongest: fc.integer({ min: 1, max: JOBS_PER_LONGEST }),
});

/** Times differ, as they do in a database. */
function numbered(jobs: readonly GivenJob[]): (GivenJob & Candidate)[] {
  return jobs.map((job, number) => ({ ...job, number, workflowID: 'w', availableAt: job.availableAt + number / 100 }));
}

function chosenOneByOne(
  jobs: readonly (GivenJob & Candidate)[],
  groups: ReadonlyMap<string, GivenGroup>,
  { maxJobs, untilLongest }: Pick<Choice, 'maxJobs' | 'untilLongest'>,
): string[] {
  const left = new Set(jobs);
  const room = new Map([...groups].map(([group, given]) => [group, given.room]));
  const turns = new Map<string, number>();
  const served = (group: string) => groups.get(group)!.servedAt ?? -Infinity;
  const picked: (GivenJob & Candidate)[] = [];
  let until = untilLongest;
  while (picked.length < maxJobs) {
    const open = [...left].filter(({ group }) => room.get(group)! > 0);
    const order = (a: GivenJob & Candidate, b: GivenJob & Candidate) =>
      b.priority - a.priority ||
      (turns.get(a.group) ?? 0) - (turns.get(b.group) ?? 0) ||
      (served(a.group) === served(b.group) ? 0 : served(a.group) - served(b.group)) ||
      a.availableAt - b.availableAt;
    const byTime = (a: Candidate, b: Candidate) => a.availableAt - b.availableAt;
    const [next] = open.toSorted(until <= 1 ? byTime : order);
    if (!next) break;
    until = until <= 1 ? JOBS_PER_LONGEST : until - 1;
    left.delete(next);
    room.set(next.group, room.get(next.group)! - 1);
    picked.push(next);
    turns.set(next.group, picked.length);
  }
  return picked.toSorted((a, b) => b.priority - a.priority).map(({ number }) => String(number));
}

/** The queues that the statement of a poll returns: see `limitedHeadsStatement`. */
function comparedOf(heads: readonly Head[], groups: ReadonlyMap<string, GivenGroup>, maxJobs: number): Head[] {
  const servedAt = ({ group }: Head) => groups.get(group)!.servedAt ?? -1;
  const inTurn = heads.toSorted(
    (a, b) => b.priority - a.priority || servedAt(a) - servedAt(b) || a.availableAt - b.availableAt,
  );
  const keysUntil = (place: number) => new Set(inTurn.slice(0, place + 1).map(({ group }) => group)).size;
  const byTime = heads.toSorted((a, b) => a.availableAt - b.availableAt).map(({ group }) => group);
  const longest = [...new Set(byTime)].slice(0, maxJobs);
  return inTurn.filter((head, place) => keysUntil(place) <= maxJobs || longest.includes(head.group));
}

/** Each key has a turn, but the longest available job comes after the first one of the same key. */
const longestIsTheSecondOfItsKey = {
  jobs: [
    { group: 'b', priority: 0, availableAt: 0 },
    { group: 'b', priority: 0, availableAt: 0 },
    { group: '', priority: 0, availableAt: 0 },
  ],
  groups: groupNames.map(() => ({ room: 3, servedAt: null })),
  maxJobs: 2,
  untilLongest: 2,
};

it('the choice of a poll, among the queues that it reads, is that of picking one job after the other', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ jobs, groups, maxJobs, untilLongest }) => {
      const all = numbered(jobs);
      const states = new Map(groupNames.map((group, index) => [group, groups[index]!]));
      const queueOf = (group: string, priority: number) =>
        all
          .filter((job) => job.group === group && job.priority === priority)
          .toSorted((a, b) => a.availableAt - b.availableAt);
      const heads = groupNames.flatMap((group) =>
        [-1, 0, 1].flatMap((priority) => queueOf(group, priority).slice(0, 1)),
      );
      const readQueues: ReadQueues = async (wanted) =>
        wanted.map(({ head, count }) => queueOf(head.group, head.priority).slice(0, count));
      const choice = {
        heads: comparedOf(heads, states, maxJobs),
        groups: [...states].map(([group, state]) => ({ group, ...state })),
        maxJobs,
        untilLongest,
      };
      const chosen = await chooseJobs(choice, readQueues);
      expect(chosen.map(({ number }) => String(number))).toEqual(
        chosenOneByOne(all, states, { maxJobs, untilLongest }),
      );
    }),
    { numRuns: 2_000, examples: [[longestIsTheSecondOfItsKey]] },
  );
});
