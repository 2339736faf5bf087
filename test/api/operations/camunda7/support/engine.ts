/** A host as an external task client of Camunda 7 sees it. */
import { defaultApiConfiguration, type ApiConfiguration } from '../../../../../api/configuration.js';
import { createApp } from '../../../../../api/app.js';
import { createCamunda7App } from '../../../../../api/camunda7/app.js';
import { operations } from '../../../../../api/operations/index.js';
import { createRequestLimits } from '../../../../../api/pipeline/api-host.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { read, startTestHost, type Called, type TestHost } from '../../support/host.js';
import { deploy, start } from '../../support/steps.js';

export interface Engine {
  readonly host: TestHost;
  /** Sends a request of a client with the token of an executor, unless `headers` say otherwise. */
  send(path: string, json?: unknown, headers?: Record<string, string>): Promise<Called>;
  /** Fetches tasks of one topic, and waits for the first one. */
  fetch(topicName: string, more?: Record<string, unknown>, topic?: Record<string, unknown>): Promise<any[]>;
  /** An instance that waits for one task of the topic. */
  waiting(topicName: string, variables?: Record<string, unknown>, extensions?: string): Promise<string>;
  close(): Promise<void>;
}

export const WORKER = 'some-random-id';

export async function startEngine(): Promise<Engine> {
  const host = await startTestHost();
  const { camunda7 } = appsOf(host);
  const send: Engine['send'] = async (path, json, headers) =>
    read(
      await camunda7.request(`/projects/p1/engine-rest${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${await host.token('executor')}`,
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    );
  return {
    host,
    send,
    async fetch(topicName, more, topic) {
      const { status, body } = await send('/external-task/fetchAndLock', {
        workerId: WORKER,
        maxTasks: 10,
        asyncResponseTimeout: 20_000,
        topics: [{ topicName, lockDuration: 60_000, ...topic }],
        ...more,
      });
      if (status !== 200) throw new Error(`fetching answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    async waiting(topicName, variables = {}, extensions = undefined) {
      const work = serviceTask('work', { type: topicName, ...(extensions !== undefined && { extensions }) });
      const definitionID = await deploy(host, sequenceModel(`process-${topicName}`, [work]));
      return start(host, definitionID, { variables, businessId: `key-${topicName}` });
    },
    close: () => host.close(),
  };
}

/** The API and the protocol of one process, whose limits are shared. */
export function appsOf({ api: { context } }: TestHost, changes: Partial<ApiConfiguration> = {}) {
  const configuration = { ...defaultApiConfiguration, verifyResponses: true, ...changes };
  const limits = createRequestLimits(configuration);
  return {
    api: createApp(context, configuration, operations, limits),
    camunda7: createCamunda7App(context, configuration, limits),
  };
}
