/**
 * A process that polls jobs of limited types, works on each for a moment, and then completes it, returns it with an error, gives
 * it back, or forgets it. It ends with its parent.
 *
 * Arguments: the folder of the compiled product, the address of the database, the project, and the types as JSON.
 */
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [dist, connectionString, projectID, types] = process.argv.slice(2);
const compiled = (path) => import(join(dist, path));
const pg = createRequire(join(dist, 'package.json'))('pg');
const { PooledDatabase } = await compiled('store/connections/pooled-database.js');
const { Notifications } = await compiled('store/notifications.js');
const { StoreClient } = await compiled('store/sql/store-client.js');
const { parseExecutionKey } = await compiled('store/sql/ids.js');
const { completeJob, throwJobError } = await compiled('store/work/job-ends.js');
const { takeBack } = await compiled('store/work/job-queue.js');

process.on('disconnect', () => process.exit());

const LOCK_MS = 1_500;
const WAIT_MS = 5_000;
const LOOPS_PER_TYPE = 4;
const clientID = `process-${process.pid}`;
const database = new PooledDatabase(new pg.Pool({ connectionString, max: 4, Client: StoreClient }));
const notifications = await Notifications.open(database, connectionString);
process.send('at work');

await Promise.all(JSON.parse(types).flatMap((type) => Array.from({ length: LOOPS_PER_TYPE }, () => workOn(type))));

async function workOn({ taskType, holdMs }) {
  for (;;) {
    const polled = { taskType, lockDurationMilliseconds: LOCK_MS };
    const request = { projectID, clientID, types: [polled], maxJobs: randomInt(1, 4) };
    const jobs = await notifications.pollJobs(database, request, WAIT_MS);
    await delay(holdMs);
    await Promise.all(jobs.map((job) => end(request, job)));
  }
}

async function end(request, job) {
  const held = {
    projectID,
    ...parseExecutionKey(job.executionKey),
    clientID,
    leaseToken: job.leaseToken,
    awaited: false,
  };
  const chance = randomInt(100);
  if (chance < 40) await completeJob(database, held);
  else if (chance < 90)
    await throwJobError(database, { ...held, errorCode: 'AGAIN', retryable: true, retryBackoffMilliseconds: 0 });
  else if (chance < 98) await takeBack(database, request, [job]);
}
