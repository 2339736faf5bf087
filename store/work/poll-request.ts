/** A poll, and the jobs that it leases. */
import { indexedText, jsonText, storableText } from '../sql/text.js';
import type { Job, JobRecord } from './jobs.js';
import { JOBS_PER_LONGEST } from './poll-statement.js';

/** A task type in a poll. */
export interface PolledType {
  taskType: string;
  lockDurationMilliseconds: number;
  /** Return only these variables (default: all). */
  fetchVariables?: string[] | undefined;
}

export interface PollRequest {
  projectID: string;
  clientID: string;
  /** Each type once. */
  types: readonly PolledType[];
  maxJobs: number;
}

export interface PollOptions {
  /** Whether jobs whose instances wait for them in their workflow task come before others of their priority. */
  prefersHot?: boolean;
  /** After how many jobs of a type one must be the longest available. */
  untilLongest?: (taskType: string) => number;
  /** Learns when a limit will let more jobs of a type be leased, if it holds some back. */
  onHeld?: (taskType: string, milliseconds: number) => void;
}

/** A job that was just leased. */
export interface HandedOutJob extends Job {
  /** Time since when it was available: its creation, the end of its backoff, or the end of an earlier lease. */
  waitedSeconds: number;
  /** Identifies this lease. Results with this token are accepted only until the job is leased again. */
  leaseToken: string;
  /** Whether it was chosen as the longest available, whatever its priority. */
  wasLongest: boolean;
}

export type LeasedRecord = JobRecord &
  Pick<HandedOutJob, 'waitedSeconds' | 'wasLongest'> & { lease: number; place: string };

/** The values of the statements of a poll. */
export function pollValues(
  { projectID, clientID, types: given, maxJobs }: PollRequest,
  { prefersHot = false, untilLongest = () => JOBS_PER_LONGEST }: PollOptions = {},
): unknown[] {
  const types = new Map(given.map((type) => [indexedText(type.taskType), type]));
  const names = [...types.keys()];
  const leases = [...types.values()].map(({ lockDurationMilliseconds }) => lockDurationMilliseconds);
  const variables = [...types.values()].map(({ fetchVariables }) => jsonText(fetchVariables?.filter(isDecodable)));
  return [projectID, names, maxJobs, clientID, leases, prefersHot, names.map(untilLongest), variables];
}

/** A variable with any other name is picked after reading: its text has an escape sequence, so Postgres returns all of them. */
function isDecodable(name: string): boolean {
  return storableText(name) === name;
}
