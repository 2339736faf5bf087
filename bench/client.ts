/** The REST calls of the benchmark, as a caller of the product makes them: keep-alive, a cached token. */
import { Agent, request as httpRequest } from 'node:http';

export interface Target {
  /** Base URL of the API. */
  api: string;
  token: string;
}

export interface Instance {
  workflowID: string;
  status: string;
  createdAt: string;
  completedAt?: string;
}

export interface Job {
  executionKey: string;
  workflowID: string;
}

const PROJECT = '/projects/demo';
/** A host that waits for its turn closes a connection after 65 s, perhaps when the next request is on its way: ours go first. */
const IDLE_CONNECTION_MS = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: IDLE_CONNECTION_MS });

function nextJobs(taskType: string, maxJobs: number) {
  return { taskType, maxJobs, timeout: '2s', lockDuration: '60s' };
}

export class Client {
  constructor(readonly target: Target) {}

  /** Deploys one BPMN file and returns the definition id of its first process. */
  async deploy(name: string, xml: string): Promise<string> {
    const resource = await this.call<{ id: string }>('POST', '/resources', { name, xml });
    await this.call('POST', `/resources/${resource.id}/deploy`);
    const deployed = await this.call<{ processes: { id: string }[] }>('GET', `/resources/${resource.id}`);
    return deployed.processes[0]!.id;
  }

  async start(processDefinitionID: string, variables: object): Promise<string> {
    const { workflowID } = await this.call<{ workflowID: string }>('POST', '/instances', {
      processDefinitionID,
      variables,
    });
    return workflowID;
  }

  /** How many instances of the definition run. */
  async running(definitionID: string): Promise<number> {
    const page = await this.call<{ pagination: { total: number } }>(
      'GET',
      `/instances?definitionID=${definitionID}&status=RUNNING&pageSize=1`,
    );
    return page.pagination.total;
  }

  /** The newest instances of the definition. */
  async instances(definitionID: string, pageSize: number): Promise<Instance[]> {
    const page = await this.call<{ data: Instance[] }>(
      'GET',
      `/instances?definitionID=${definitionID}&pageSize=${pageSize}`,
    );
    return page.data;
  }

  async variables(workflowID: string): Promise<Record<string, unknown>> {
    return (await this.call<{ variables: Record<string, unknown> }>('GET', `/instances/${workflowID}/variables`))
      .variables;
  }

  /** @param signal gives up waiting: the promise is rejected */
  async poll(taskType: string, clientID: string, maxJobs: number, signal?: AbortSignal): Promise<Job[]> {
    return (
      (await this.call<Job[] | undefined>(
        'POST',
        '/external-jobs/poll',
        { clientID, ...nextJobs(taskType, maxJobs) },
        signal,
      )) ?? []
    );
  }

  async completeJob({ executionKey, workflowID }: Job, clientID: string): Promise<void> {
    await this.call('POST', `/external-jobs/${executionKey}/complete`, { workflowID, clientID });
  }

  /** Completes a job and polls for the next ones in the same request, as the product's own client does. */
  async completeAndPoll(
    { executionKey, workflowID }: Job,
    taskType: string,
    clientID: string,
    maxJobs: number,
    signal: AbortSignal,
  ): Promise<Job[]> {
    const body = { workflowID, clientID, poll: nextJobs(taskType, maxJobs) };
    return (await this.call<{ jobs: Job[] }>('POST', `/external-jobs/${executionKey}/complete`, body, signal)).jobs;
  }

  /** The execution keys of open user tasks, oldest first. */
  async openTasks(pageSize: number): Promise<string[]> {
    const page = await this.call<{ data: { executionKey: string }[] }>(
      'GET',
      `/user-tasks?status=CREATED&order=asc&pageSize=${pageSize}`,
    );
    return page.data.map(({ executionKey }) => executionKey);
  }

  async completeTask(executionKey: string): Promise<void> {
    await this.call('POST', `/user-tasks/${executionKey}/complete`, {});
  }

  /** Lets so many jobs of the type and of one key be leased at once. Needs the role admin. */
  async limit(taskType: string, concurrent: number): Promise<void> {
    await this.send('PUT', `/limits/${taskType}`, { concurrent, reason: 'benchmark' });
  }

  /** @param key the value that the message is correlated by */
  async publish(messageName: string, key: string): Promise<void> {
    await this.call('POST', '/messages', { messageName, correlationKeys: key, variables: {} });
  }

  private call<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
    return this.send(method, `/bpmn${path}`, body, signal);
  }

  private send<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        this.target.api + PROJECT + path,
        {
          method,
          agent,
          ...(signal && { signal }),
          headers: {
            authorization: `Bearer ${this.target.token}`,
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const answer = Buffer.concat(chunks).toString();
            if ((response.statusCode ?? 500) >= 300)
              reject(new Error(`${method} ${path} answered ${response.statusCode}: ${answer.slice(0, 300)}`));
            else resolve((answer === '' ? undefined : JSON.parse(answer)) as T);
          });
        },
      );
      request.on('error', reject);
      request.end(text);
    });
  }
}
