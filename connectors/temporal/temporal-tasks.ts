/**
 * Performs tasks that are activities, workflows, or Nexus operations on Temporal. A job is leased, its execution started,
 * and its place free again at once: however long it runs, it costs a look every few minutes, and its end is pushed.
 */
import { Client } from '@temporalio/client';
import { temporalTaskTypes } from '@perdure/lib/model-files/temporal-tasks.js';
import type { RunResult, Turn } from '../../background/chore.js';
import { hasExecutions } from '../../store/work/executions/executions.js';
import { LeasedJobs, LOOK_MS } from '../leased-jobs.js';
import type { Connector } from '../role.js';
import { begin, CLIENT_ID } from './begin.js';
import { ForeignCodec } from './foreign-codec.js';
import type { TemporalTasksContext, TemporalTasksOptions } from './options.js';
import { runnerWorker } from './runner-worker.js';
import { watch } from './watch.js';

/** Longer than beginning takes. */
const LEASE_MS = 30_000;

export function temporalTasks(options: TemporalTasksOptions): Connector {
  const { store, hearTasks, logger, connection, namespace, encryption } = options;
  const dataConverter = { payloadCodecs: [new ForeignCodec(encryption)] };
  const context: TemporalTasksContext = {
    ...options,
    client: new Client({ connection, namespace, dataConverter }),
  };
  const runner = runnerWorker(context);
  const jobs = new LeasedJobs({
    store,
    hearTasks,
    logger,
    types: temporalTaskTypes,
    leaseMilliseconds: LEASE_MS,
    clientID: CLIENT_ID,
    what: 'Tasks on Temporal',
    work: (_clientID, projectID, job) => begin(context, projectID, job),
  });
  const run = async (turn: Turn): Promise<RunResult> => {
    const taken = await jobs.takeAll(turn);
    if (taken === 'done' && !(await hasExecutions(store))) return taken;
    runner.start();
    return (await watch(context)) ? 'more' : taken;
  };
  return {
    chore: {
      name: 'temporal_tasks',
      every: LOOK_MS,
      prompt: true,
      wait: (...until) => jobs.wait(...until),
      run,
      finish: async () => {
        await jobs.finish();
        await runner.stop();
      },
    },
    problem: 'Tasks on Temporal cannot be started or monitored; see the log',
  };
}
