/** Leasing jobs to a client: for a poll, and together with the end of another job. */
import type { z } from 'zod';
import { takeBack, type PollRequest } from '../../../../store/work/job-queue.js';
import type { ApiContext } from '../../../context.js';
import { toExternalJob } from './external-job.js';
import type { externalJob, nextJobsRequest } from './schemas.js';

type LeasedJob = z.output<typeof externalJob>;

/** Leases jobs to the client and waits for the first one. The result is empty if the client has disconnected. */
export async function leaseJobs(
  context: ApiContext,
  request: PollRequest,
  waitMilliseconds: number,
  signal: AbortSignal,
): Promise<LeasedJob[]> {
  const jobs = await context.notifications.pollJobs(context.store, request, waitMilliseconds, signal);
  if (signal.aborted && jobs.length > 0) {
    // No client would work on these jobs, and their leases would have to expire first.
    await takeBack(context.store, request, jobs);
    return [];
  }
  for (const { waitedSeconds } of jobs) context.metrics.jobWaitSeconds.observe(waitedSeconds);
  return jobs.map((job) => ({ ...toExternalJob(job), leaseToken: job.leaseToken }));
}

/** The poll that a request asks for. */
export function pollOf(
  projectID: string,
  clientID: string,
  { taskType, taskTypes, lockDuration, fetchVariables, maxJobs }: Omit<z.output<typeof nextJobsRequest>, 'timeout'>,
): PollRequest {
  const types = (taskTypes ?? [{ taskType: taskType! }]).map((type) => ({
    taskType: type.taskType,
    lockDurationMilliseconds: type.lockDuration ?? lockDuration,
    fetchVariables: type.fetchVariables ?? fetchVariables,
  }));
  return { projectID, clientID, types, maxJobs };
}

/** A request that reports the end of a job and may poll for the next jobs. */
interface JobEndInput {
  readonly params: { readonly projectID: string };
  readonly body: {
    readonly clientID?: string | undefined;
    readonly poll?: z.output<typeof nextJobsRequest> | undefined;
  };
  readonly context: ApiContext;
  readonly signal: AbortSignal;
  readonly pollMilliseconds: number;
}

/** Adds the polled jobs to the response that accepts the end of the other job. */
export async function withNextJobs<const Accepted extends { readonly body: object }>(
  accepted: Accepted,
  input: JobEndInput,
): Promise<Accepted & { body: { jobs?: LeasedJob[] } }> {
  const { clientID, poll } = input.body;
  if (clientID === undefined || poll === undefined) return accepted;
  const request = pollOf(input.params.projectID, clientID, poll);
  return {
    ...accepted,
    body: { ...accepted.body, jobs: await leaseJobs(input.context, request, input.pollMilliseconds, input.signal) },
  };
}
