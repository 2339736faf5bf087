import { ChannelWaits } from '../connections/channel-waits.js';
import type { Listener } from '../connections/listener.js';
import { jobsKey, jobsOfKeyAnnouncement, pollsAnnouncements, readJobsAnnouncement } from '../sql/announcements.js';
import type { Database } from '../sql/database.js';
import { pollJobs as leaseJobs, type HandedOutJob, type PollRequest } from './job-queue.js';
import { LimitOpenings } from './limits/openings.js';
import { LongestTurns } from './longest-turns.js';
import type { PollDemand } from './poll-demand.js';

/**
 * Polls for jobs. All pollers of a type would look for the same jobs, so each of them wakes the next. Expired leases and
 * backoffs are found only by polling, unless a limit holds jobs back: then the time is known at which it lets go.
 * @param database announces polls to other processes
 * @param demand learns the task types that are polled for here and elsewhere
 */
export function jobPolls(listener: Listener, database: Database, demand: PollDemand) {
  const waits = new ChannelWaits(listener, { wokenPerLook: 1 });
  const longestTurns = new LongestTurns();
  const openings = new LimitOpenings((key) => waits.wake(key, 1));
  const hear = (payload: string) => {
    const { key, count } = readJobsAnnouncement(payload);
    waits.wake(key, count);
  };
  listener.add('perdure_jobs', {
    waits,
    hear,
    // A job has one poller, which another process has only if job workers poll there.
    take({ payload }) {
      const { key, count } = readJobsAnnouncement(payload);
      const waiting = waits.count(key);
      if (waiting > 0) hear(payload);
      return waiting < count && demand.isPolledElsewhere(key) ? jobsOfKeyAnnouncement(key, count - waiting) : undefined;
    },
  });
  listener.add('perdure_polls', {
    hear: (payload) => demand.hear(payload),
    tick: () => database.announce(pollsAnnouncements(demand.id, demand.takeAsked())),
  });

  /**
   * Leases jobs, waiting for the first one.
   * @param store leases them
   * @returns an empty list if none arrived in time or `signal` is aborted
   */
  return async function pollJobs(
    store: Database,
    request: PollRequest,
    waitMilliseconds: number,
    signal?: AbortSignal,
  ): Promise<HandedOutJob[]> {
    const keyOf = new Map(request.types.map(({ taskType }) => [taskType, jobsKey(request.projectID, taskType)]));
    const keys = [...keyOf.values()];
    const deadline = performance.now() + waitMilliseconds;
    const untilLongest = (taskType: string) => longestTurns.untilNext(keyOf.get(taskType)!);
    const onHeld = (taskType: string, milliseconds: number) => openings.at(keyOf.get(taskType)!, milliseconds);
    const look = async () => {
      const taken = await leaseJobs(store, request, { prefersHot: prefersHot(), untilLongest, onHeld });
      for (const { taskType, wasLongest } of taken) longestTurns.count(keyOf.get(taskType)!, wasLongest);
      return taken.length > 0 ? taken : undefined;
    };
    const news = keys.filter((key) => !demand.isPolledHere(key));
    if (news.length > 0) database.announce(pollsAnnouncements(demand.id, news));
    const ends = keys.map((key) => demand.begin(key));
    const jobs = await waits.lookUntil({ keys, deadline, signal, look }).finally(() => {
      for (const end of ends) end();
    });
    // There may be more jobs, and polling again wakes only one waiter.
    if (jobs) for (const key of keys) waits.wake(key, 1);
    return jobs ?? [];
  };
}

/** One poll in four takes the oldest jobs, so that the backlog shrinks even while many instances linger. */
function prefersHot(): boolean {
  return Math.random() < 0.75;
}
