/** Instances with one agent, next to a connector and a model whose answers the test has written. */
import { adHocSubProcess, endEvent, processModel, serviceTask, startEvent, type Xml } from '@perdure/testkit/models';
import type { GivenSecrets } from '../../../outbound/secrets/in-environment.js';
import { startTestHost, type TestHost } from '../../api/operations/support/host.js';
import { deploy, start, takeJob, untilStatus } from '../../api/operations/support/steps.js';
import { eventually } from '../../support/eventually.js';
import { startConnectors } from './connectors.js';
import { answerWith, startService, type Answer, type Received, type Service } from './service.js';

export const KEY = 'key-of-the-model-4711';

/** A call of a tool with its arguments; `{}` unless given. */
export type Called = string | [name: string, given: unknown];

/** An answer in the format of chat completions. */
export function says(text: string | null, ...calls: Called[]): Answer {
  return answerWith(200, completion(text, ...calls));
}

export function completion(text: string | null, ...calls: Called[]) {
  const tool_calls = calls.map((call, index) => {
    const [name, given] = typeof call === 'string' ? [call, {}] : call;
    const written = typeof given === 'string' ? given : JSON.stringify(given);
    return { id: `c${index}`, type: 'function', function: { name, arguments: written } };
  });
  return {
    choices: [
      { message: { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  };
}

export interface AgentOptions {
  inputs?: Record<string, string>;
  headers?: Record<string, string>;
  tools?: Xml;
}

/** Tools that take a text, and one that waits for a job worker. */
export const tools: Xml = [
  serviceTask('search', {
    name: 'Search orders',
    inputs: { query: '=fromAi(toolCall.query, "Words in the order", "string")' },
  }),
  serviceTask('mail', { inputs: { to: '=fromAi(toolCall.to)' } }),
];

export function agentModel(
  id: string,
  url: string,
  { inputs, headers, tools: inside = tools }: AgentOptions = {},
): string {
  const agent = adHocSubProcess('agent', inside, [], {
    job: 'perdure:agent',
    inputs: {
      url,
      model: 'small',
      goal: '=question',
      'headers.Authorization': 'Bearer {{secrets.MODEL}}',
      ...inputs,
    },
    headers: { resultVariable: 'answer', retryBackoff: 'PT0S', ...headers },
  });
  return processModel(id, [startEvent('s'), agent, endEvent('e')], 's -> agent -> e');
}

export interface Agents {
  readonly host: TestHost;
  readonly service: Service;
  /** Starts an instance whose model answers so, in this order; the last answer is repeated. */
  begin(answers: readonly Answer[], options?: AgentOptions, variables?: object): Promise<string>;
  /** The bodies of the requests to the model of the last instance. */
  requests(): any[];
  received(): Received[];
  completeTool(taskType: string, variables: object): Promise<any>;
  turnsOf(workflowID: string): Promise<any[]>;
  completed(workflowID: string): Promise<Record<string, unknown>>;
  incidentOf(workflowID: string): Promise<any>;
  close(): Promise<void>;
}

export async function startAgents(): Promise<Agents> {
  const [host, service] = await Promise.all([startTestHost(), startService()]);
  const secrets: GivenSecrets = { p1: { MODEL: { values: [KEY], hosts: [service.url] } } };
  const connectors = startConnectors(host, { allow: service.url, secrets });
  let models = 0;
  const path = () => `/model-${models}`;
  const received = () => service.received.filter(({ url }) => url === path());
  const turnsOf = async (workflowID: string) =>
    (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/agents/agent/turns?pageSize=100`)).body.data;
  return {
    host,
    service,
    received,
    requests: () => received().map(({ body }) => JSON.parse(body)),
    turnsOf,
    async begin(answers, options, variables = { question: 'Where is my order?' }) {
      models += 1;
      let asked = 0;
      service.on(path(), (...request) => {
        const answer = answers[Math.min(asked, answers.length - 1)]!;
        asked += 1;
        answer(...request);
      });
      const definition = await deploy(host, agentModel(`agent${models}`, service.url + path(), options));
      return start(host, definition, { variables });
    },
    async completeTool(taskType, variables) {
      const job = await takeJob(host, taskType);
      const { status } = await host.call('executor', 'POST', `/bpmn/external-jobs/${job.executionKey}/complete`, {
        json: { workflowID: job.workflowID, clientID: 'worker-1', variables },
      });
      if (status >= 300) throw new Error(`completing ${taskType} answered ${status}`);
      return job;
    },
    async completed(workflowID) {
      await untilStatus(host, workflowID, 'COMPLETED');
      return (await host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).body.variables;
    },
    async incidentOf(workflowID) {
      const look = () => host.call('viewer', 'GET', `/bpmn/instances/${workflowID}/incidents`);
      const isOpen = (incident: { resolvedAt?: string }) => incident.resolvedAt === undefined;
      const { body } = await eventually(look, (answer) => answer.body.data?.some(isOpen));
      return body.data.find(isOpen);
    },
    async close() {
      await connectors.stop();
      await host.close();
      await service.close();
    },
  };
}
