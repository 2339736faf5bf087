import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { endEvent, parallelGateway, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { eventually } from '../support/eventually.js';
import { temporalAddress } from '../support/infrastructure.js';
import { endpointOf, openTcpProxy, type TcpProxy } from './support/tcp-proxy.js';
import { openTemporalHost, type TemporalHost } from './support/temporal-host.js';

let host: TemporalHost;
let proxy: TcpProxy;
const children: ChildProcess[] = [];

beforeAll(async () => {
  host = await openTemporalHost({ worker: false, outboxRelay: false, workflowTaskSeconds: 3 });
  proxy = await openTcpProxy(endpointOf(await temporalAddress()));
  await host.deploy(
    processModel(
      'parallel',
      [
        startEvent('start'),
        parallelGateway('fork'),
        serviceTask('left'),
        serviceTask('right'),
        parallelGateway('join'),
        endEvent('end'),
      ],
      [
        'a: start -> fork',
        'b: fork -> left',
        'c: fork -> right',
        'd: left -> join',
        'e: right -> join',
        'f: join -> end',
      ],
    ),
  );
});
afterEach(async () => {
  await host.stopWorker();
  proxy.restore();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await proxy.close();
  await host.close();
});

/** A worker in its own process, which can be killed. It reaches Temporal through the proxy. */
function startWorkerProcess(hot: string): ChildProcess {
  const child = spawn(process.execPath, [join(repositoryRoot, 'dist', 'host', 'main.js')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      PERDURE_ROLES: 'worker',
      DATABASE_URL: host.databaseUrl,
      TEMPORAL_ADDRESS: proxy.address,
      TEMPORAL_TASK_QUEUE: host.taskQueue,
      HOT_INSTANCES: hot,
    },
  });
  children.push(child);
  return child;
}

test.each(['on', 'off'])(
  'a worker killed between the commit of a step commit and the end of its workflow task loses nothing and repeats nothing, hot instances %s',
  async (hot) => {
    const child = startWorkerProcess(hot);
    const id = await host.start('parallel');
    const left = await host.wait(id, 'job', 'left');
    const right = await host.wait(id, 'job', 'right');
    const first = await host.write(id, { kind: 'COMPLETE_JOB', execution: left.id, variables: { left: 1 } });
    const second = await host.write(id, { kind: 'COMPLETE_JOB', execution: right.id, variables: { right: 2 } });

    // The step commit of the first command waits for this lock, so it is known to be between its task's begin and end.
    const holder = new pg.Client({ connectionString: host.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM instances WHERE workflow_id = $1 FOR UPDATE', [id]);
    await host.instances.signal(id, first);
    await eventually('the step commit', async () => {
      const { rowCount } = await host.store.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount ? true : undefined;
    });
    proxy.cut();
    await holder.query('COMMIT');
    await holder.end();
    await host.outcome(id, first.number);
    child.kill('SIGKILL');
    await host.instances.signal(id, second);
    await host.startWorker();

    await host.handle(id).result();
    const { rows } = await host.store.query<{ number: number; last: number }>(
      "SELECT number, (inputs ->> 'lastCommand')::integer AS last FROM steps WHERE workflow_id = $1 ORDER BY number",
      [id],
    );
    expect(rows).toEqual([
      { number: 1, last: 0 },
      { number: 2, last: 1 },
      { number: 3, last: 2 },
    ]);
    expect(await host.outcome(id, second.number)).toMatchObject({ status: 'APPLIED' });
    const state = await host.state(id);
    expect(state.status).toBe('COMPLETED');
    expect(state.elements[1]!.variables).toEqual({ left: 1, right: 2 });
    const history = await host.handle(id).fetchHistory();
    expect(history.events!.some(({ workflowTaskTimedOutEventAttributes }) => workflowTaskTimedOutEventAttributes)).toBe(
      true,
    );
    await host.replay(id, history);
  },
  90_000,
);
