/** Instances with one task on Temporal, next to a connector and a worker of others. */
import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { startConnectorsRole, type ConnectorsRole } from '../../../connectors/role.js';
import type { TemporalTasksOptions } from '../../../connectors/temporal/options.js';
import { temporalTasks } from '../../../connectors/temporal/temporal-tasks.js';
import { GraphCache } from '../../../store/definitions/graph-cache.js';
import { startTestHost, type TestHost } from '../../api/operations/support/host.js';
import { deploy, start, untilStatus } from '../../api/operations/support/steps.js';
import { eventually } from '../../support/eventually.js';
import { uniqueName } from '../../support/infrastructure.js';
import { foreignBundle, runnerBundle } from '../../support/workflow-bundle.js';
import { eager } from './connectors.js';

export interface TemporalTask {
  type?: string;
  headers: Record<string, string>;
  inputs?: Record<string, string>;
  retries?: number;
}

type Activities = Record<string, (input: any) => Promise<unknown>>;

export interface TemporalTasks {
  readonly host: TestHost;
  /** The task queue of the worker of others. */
  readonly queue: string;
  readonly runnerQueue: string;
  startConnectors(more?: Partial<TemporalTasksOptions>): Promise<ConnectorsRole>;
  /** Starts an instance whose only task is this one. @returns its id */
  begin(task: TemporalTask, variables?: object): Promise<string>;
  /** @returns the variables at its end */
  completed(task: TemporalTask, variables?: object): Promise<Record<string, unknown>>;
  /** @returns its first incident */
  incidentOf(workflowID: string): Promise<Record<string, any>>;
  incident(task: TemporalTask, variables?: object): Promise<Record<string, any>>;
  close(): Promise<void>;
}

export async function startTemporalTasks(activities: Activities): Promise<TemporalTasks> {
  const host = await startTestHost();
  const connection = host.client.connection as NativeConnection;
  const [queue, taskQueue] = [uniqueName('others'), uniqueName('own')];
  const worker = await Worker.create({
    connection,
    taskQueue: queue,
    activities,
    workflowBundle: { codePath: await foreignBundle('test/connectors/support/foreign-workflows.ts') },
    // As short as a test wants to learn of cancellations.
    maxHeartbeatThrottleInterval: '100ms',
  });
  const ended = worker.run();
  const roles: ConnectorsRole[] = [];
  const { logger } = host.api.context;
  let models = 0;

  async function begin({ type = 'temporal:activity', headers, inputs, retries = 3 }: TemporalTask, variables = {}) {
    const task = serviceTask('call', { type, retries, headers, ...(inputs && { inputs }) });
    return start(host, await deploy(host, sequenceModel(`p${(models += 1)}`, [task])), { variables });
  }
  async function incidentOf(workflowID: string) {
    const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
    return (await eventually(look, ({ body }) => body.data?.length > 0)).body.data[0];
  }

  return {
    host,
    queue,
    runnerQueue: `${taskQueue}-tasks`,
    async startConnectors(more = {}) {
      const role = startConnectorsRole(logger, [
        eager(
          temporalTasks({
            store: host.store,
            hearTasks: host.notifications.hearTasks,
            graphs: new GraphCache(host.store),
            connection,
            namespace: 'default',
            taskQueue,
            allowed: { p1: { taskQueues: [queue], endpoints: [] } },
            encryption: undefined,
            bundlePath: await runnerBundle(),
            logger,
            deliver: host.api.context.instances.deliver,
            ...more,
          }),
        ),
      ]);
      roles.push(role);
      return role;
    },
    begin,
    async completed(task, variables) {
      const workflowID = await begin(task, variables);
      await untilStatus(host, workflowID, 'COMPLETED');
      return (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body.variables;
    },
    incidentOf,
    incident: async (task, variables) => incidentOf(await begin(task, variables)),
    async close() {
      await Promise.all(roles.map((role) => role.stop()));
      worker.shutdown();
      await ended;
      await host.close();
    },
  };
}
