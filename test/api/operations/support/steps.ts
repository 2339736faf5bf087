/** First steps of nearly every test of an operation, through the API alone. */
import { eventually } from '../../../support/eventually.js';
import type { TestHost } from './host.js';

/** Deploys a file and returns the id of its first definition. */
export async function deploy(host: TestHost, xml: string, name = 'model'): Promise<string> {
  const created = await host.call('editor', 'POST', '/bpmn/resources', { json: { name, xml } });
  if (created.status !== 201)
    throw new Error(`creating the resource answered ${created.status}: ${JSON.stringify(created.body)}`);
  const deployed = await host.call('editor', 'POST', `/bpmn/resources/${created.body.id}/deploy`);
  if (deployed.status !== 204)
    throw new Error(`deploying answered ${deployed.status}: ${JSON.stringify(deployed.body)}`);
  const { body } = await host.call('viewer', 'GET', `/bpmn/resources/${created.body.id}`);
  return body.processes[0].id as string;
}

/** Starts an instance and returns its id. */
export async function start(
  host: TestHost,
  processDefinitionID: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const started = await host.call('executor', 'POST', '/bpmn/instances', { json: { processDefinitionID, ...more } });
  if (started.status !== 201) throw new Error(`starting answered ${started.status}: ${JSON.stringify(started.body)}`);
  return started.body.workflowID as string;
}

/** Takes one job of the type, waiting for it. */
export async function takeJob(host: TestHost, taskType: string, clientID = 'worker-1') {
  const polled = await host.call('executor', 'POST', '/bpmn/external-jobs/poll', {
    json: { taskType, clientID, timeout: '20s' },
  });
  if (polled.status !== 200) throw new Error(`no job of type ${taskType} came: ${polled.status}`);
  return polled.body[0];
}

/** The one job of an instance, without a lease on it, once it is there. */
export async function jobOf(host: TestHost, workflowID: string) {
  const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/external-jobs`);
  return (await eventually(look, ({ body }) => body.data.length === 1)).body.data[0];
}

export async function untilStatus(host: TestHost, workflowID: string, status: string) {
  const look = async () => (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}`)).body;
  return eventually(look, (instance) => instance.status === status);
}

/** A problem without the id of its request, to compare two of them. */
export function withoutRequest(problem: Record<string, unknown>): Record<string, unknown> {
  return { ...problem, requestID: undefined, instance: undefined };
}
