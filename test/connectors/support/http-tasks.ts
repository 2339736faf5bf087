/** Instances with one HTTP task, next to a connector and a service that it may call. */
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import type { GivenSecrets } from '../../../outbound/secrets/in-environment.js';
import { startTestHost, type TestHost } from '../../api/operations/support/host.js';
import { deploy, start, untilStatus } from '../../api/operations/support/steps.js';
import { startConnectors } from './connectors.js';
import { startService, type Received, type Service } from './service.js';
import { eventually } from '../../support/eventually.js';

export const TOKEN = 'tok/en+with "marks" 4711';

export interface Task {
  inputs: Record<string, string>;
  headers?: Record<string, string>;
  type?: string;
  retries?: number;
}

export interface HttpTasks {
  readonly host: TestHost;
  readonly service: Service;
  /** Starts an instance whose only task is this one. @returns its id */
  begin(task: Task, variables?: object): Promise<string>;
  /** @returns the variables at its end */
  completed(task: Task, variables?: object): Promise<Record<string, unknown>>;
  /** @returns its first incident */
  incident(task: Task, variables?: object): Promise<Record<string, unknown>>;
  /** The requests to a path of the service, without the query. */
  requestsTo(path: string): Received[];
  close(): Promise<void>;
}

export async function startHttpTasks(): Promise<HttpTasks> {
  const [host, service] = await Promise.all([startTestHost(), startService()]);
  const secrets: GivenSecrets = {
    p1: {
      TOKEN: { values: [TOKEN], hosts: [service.url] },
      ELSEWHERE: { values: ['for-another-host-only'], hosts: ['api.example.com'] },
    },
  };
  const connectors = startConnectors(host, { allow: service.url, secrets });

  let models = 0;
  async function begin({ inputs, headers, type = 'perdure:http', retries = 3 }: Task, variables = {}) {
    const task = serviceTask('call', { type, retries, inputs, ...(headers && { headers }) });
    return start(host, await deploy(host, sequenceModel(`p${(models += 1)}`, [task])), { variables });
  }

  return {
    host,
    service,
    begin,
    async completed(task, variables) {
      const workflowID = await begin(task, variables);
      await untilStatus(host, workflowID, 'COMPLETED');
      return (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body.variables;
    },
    async incident(task, variables) {
      const workflowID = await begin(task, variables);
      const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
      return (await eventually(look, ({ body }) => body.data?.length > 0)).body.data[0];
    },
    requestsTo: (path) => service.received.filter(({ url }) => url.split('?')[0] === path),
    async close() {
      await connectors.stop();
      await host.close();
      await service.close();
    },
  };
}
