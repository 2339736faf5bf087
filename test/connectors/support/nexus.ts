/** A host that serves processes at a Nexus endpoint, next to a worker of others that calls it. */
import type { Client, WorkflowHandle } from '@temporalio/client';
import { Worker, type NativeConnection } from '@temporalio/worker';
import { defaultApiConfiguration } from '../../../api/configuration.js';
import { createNexusCalls } from '../../../api/nexus/calls.js';
import { startChores } from '../../../background/driver.js';
import { createNexusService } from '../../../connectors/nexus/nexus-service.js';
import type { NexusOptions } from '../../../connectors/nexus/options.js';
import { startTestHost, type TestHost } from '../../api/operations/support/host.js';
import { uniqueName } from '../../support/infrastructure.js';
import { foreignBundle, runnerBundle } from '../../support/workflow-bundle.js';
import type { Answer, Called } from './nexus-callers.js';

export interface NexusHost {
  readonly host: TestHost;
  readonly endpoint: string;
  /** Calls an operation from a coded workflow. */
  call(operation: string, input: unknown, more?: Partial<Called>): Promise<Answer>;
  /** Starts one of the coded workflows. */
  begin(workflow: string, called: Partial<Called>): Promise<WorkflowHandle<() => Promise<Answer>>>;
  close(): Promise<void>;
}

/** Lets the test see and lose what passes between Temporal and the API. */
export type Between = (call: NexusOptions['call']) => NexusOptions['call'];

export async function startNexusHost(between: Between = (call) => call): Promise<NexusHost> {
  const host = await startTestHost();
  const { client, store } = host;
  const connection = client.connection as NativeConnection;
  const [endpoint, callers] = [uniqueName('shop'), uniqueName('callers')];
  await createEndpoint(connection, endpoint, `perdure-nexus-${endpoint}`);
  const { context } = host.api;
  const nexus = createNexusService({
    store,
    client,
    connection,
    namespace: 'default',
    taskQueue: uniqueName('own'),
    served: { [endpoint]: 'p1' },
    encryption: undefined,
    bundlePath: await runnerBundle(),
    logger: context.logger,
    call: between(createNexusCalls(context, { ...defaultApiConfiguration, verifyResponses: true })),
  });
  nexus.start();
  const chores = startChores({ chores: [nexus.chore], logger: context.logger });
  const worker = await Worker.create({
    connection,
    taskQueue: callers,
    workflowBundle: { codePath: await callersBundle() },
  });
  const ended = worker.run();

  const begin = (workflow: string, called: Partial<Called>) =>
    beginWorkflow(client, callers, workflow, { endpoint, ...called });
  return {
    host,
    endpoint,
    begin,
    call: async (operation, input, more) =>
      (await begin('callPerdure', { operation, input, ...more })).result() as Promise<Answer>,
    async close() {
      worker.shutdown();
      await ended;
      await Promise.all([nexus.stop(), chores.stop()]);
      await host.close();
    },
  };
}

/** The path of the bundle of the workflows that call processes. */
export const callersBundle = () => foreignBundle('test/connectors/support/nexus-callers.ts');

export async function createEndpoint(connection: NativeConnection, name: string, taskQueue: string): Promise<void> {
  await connection.operatorService.createNexusEndpoint({
    spec: { name, target: { worker: { namespace: 'default', taskQueue } } },
  });
}

export async function beginWorkflow(
  client: Client,
  taskQueue: string,
  workflow: string,
  called: unknown,
): Promise<WorkflowHandle<() => Promise<Answer>>> {
  return client.workflow.start<() => Promise<Answer>>(workflow, {
    taskQueue,
    workflowId: uniqueName('caller'),
    args: [called] as never,
  });
}
