/**
 * The process of the floor, or of the ceiling: a Temporal worker, and a client on the same connection that starts and
 * signals workflows, as the host has them. A step commit is one row, committed. Its parent says what to run; `BENCH_WORKFLOW_BUNDLE`
 * names the bundle with the workflow.
 */
import '../../host/utc.js';
import { randomUUID } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';
import { workflowTaskOptions } from '../../worker/temporal-worker.js';
import { Lingers } from './lingers.js';
import { GO_ON, type FloorInput } from './messages.js';

/** The run that is requested. The reply is `FloorRan`. */
export interface FloorRun extends FloorInput {
  callers: number;
  count: number;
}

export interface FloorRan {
  /** From the call that starts a workflow to its last activity. */
  latenciesMs: number[];
  newest: string;
}

export interface FloorActivities {
  /** @returns whether the result that the workflow waits for next came while the activity lingered */
  commitStep(step: FloorStep): Promise<boolean>;
}

export interface FloorStep {
  number: number;
  isLast: boolean;
  lingers: boolean;
}

const taskQueue = process.env['TEMPORAL_TASK_QUEUE']!;
/** Ends of instances that run, by workflow id. */
const ends = new Map<string, () => void>();
const lingers = new Lingers();

const store = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });
await store.query('CREATE TABLE steps (workflow_id text, number integer, PRIMARY KEY (workflow_id, number))');
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const connection = await NativeConnection.connect({
  address: process.env['TEMPORAL_ADDRESS']!,
  grpcCompression: { codec: 'none' },
});
const client = new Client({ connection });
const activities: FloorActivities = { commitStep };
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowBundle: { codePath: process.env['BENCH_WORKFLOW_BUNDLE']! },
  activities,
  ...workflowTaskOptions,
});
const working = worker.run();
process.on('message', (run) => void measure(run as FloorRun).then((ran) => process.send?.(ran)));
for (const event of ['SIGTERM', 'disconnect'] as const) process.once(event, () => worker.shutdown());
process.send?.('ready');
await working;
await connection.close();
await store.end();
process.exit(0);

async function commitStep({ number, isLast, lingers: mayLinger }: FloorStep): Promise<boolean> {
  const { workflowExecution } = activityInfo();
  const workflowID = workflowExecution!.workflowId;
  await store.query({
    name: 'commit-step',
    text: 'INSERT INTO steps (workflow_id, number) VALUES ($1, $2)',
    values: [workflowID, number],
  });
  if (isLast) {
    ends.get(workflowID)?.();
    return false;
  }
  const result = mayLinger && lingers.untilGiven(workflowID);
  giveResult(workflowID);
  return result;
}

/** The work that the instance waits for is done at once. */
function giveResult(workflowID: string): void {
  if (lingers.give(workflowID)) return;
  // Not awaited: what Temporal answers is nothing to the activity.
  void client.workflow.getHandle(workflowID).signal(GO_ON);
}

async function measure({ waits, lingers: mayLinger, callers, count }: FloorRun): Promise<FloorRan> {
  const latenciesMs: number[] = [];
  const ended: Promise<void>[] = [];
  let left = count;
  let newest = '';
  const call = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const workflowId = randomUUID();
      const begin = performance.now();
      const end = new Promise<void>((resolve) => ends.set(workflowId, resolve)).then(() => {
        latenciesMs.push(performance.now() - begin);
        ends.delete(workflowId);
      });
      ended.push(end);
      await client.workflow.start('floor', {
        workflowId,
        taskQueue,
        args: [{ waits, lingers: mayLinger }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        requestEagerStart: true,
      });
      newest = workflowId;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  await Promise.all(ended);
  // The last activity of the last one has run; now its end is in its history too.
  await client.workflow.getHandle(newest).result();
  return { latenciesMs, newest };
}
