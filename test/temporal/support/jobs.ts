/** A worker without the API: takes jobs under a lease and completes them as their holder. */
import { completeJob } from '../../../store/work/job-ends.js';
import { pollJobs } from '../../../store/work/job-queue.js';
import { parseExecutionKey } from '../../../store/sql/ids.js';
import { uniqueName } from '../../support/infrastructure.js';
import { project, type TemporalHost } from './temporal-host.js';

export interface HeldJob {
  workflowID: string;
  complete(): Promise<void>;
}

/** Takes up to five jobs of the type. */
export async function jobsOfType({ store, instances }: TemporalHost, taskType: string): Promise<HeldJob[]> {
  const clientID = uniqueName('client');
  const taken = await pollJobs(store, {
    projectID: project,

    clientID,
    types: [{ taskType, lockDurationMilliseconds: 60_000 }],
    maxJobs: 5,
  });
  return taken.map(({ executionKey, workflowID }) => ({
    workflowID,
    async complete() {
      const completed = await completeJob(store, {
        ...parseExecutionKey(executionKey)!,
        projectID: project,
        clientID,
        awaited: false,
      });
      if (completed.kind === 'refused') throw new Error(completed.message);
      await instances.signal(workflowID, completed.command);
    },
  }));
}
