/** A host whose Postgres or Temporal is taken back to an older moment, and the work of three jobs that is done on it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { accessTokens, unwrap, createClient, ApiError } from '@perdure/client';
import type { Shop } from '../../../examples/order-fulfilment/settings.js';
import { freePort } from '../../../dev/ports.js';
import { compiledScript } from '../../../dev/repository.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { eventually } from '../../support/eventually.js';
import { issuerTokenEndpoint } from '../../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../../support/hosts/host-process.js';

export const steps = ['pick', 'pack', 'send'] as const;
export type Step = (typeof steps)[number];

/** Where the host finds its servers: DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_TASK_QUEUE. */
export type Places = Record<'DATABASE_URL' | 'TEMPORAL_ADDRESS' | 'TEMPORAL_TASK_QUEUE', string>;

export class Installation {
  #host: HostProcess | undefined;
  #shop: Shop | undefined;
  #management = '';

  constructor(private places: Places) {}

  async start(places: Partial<Places> = {}): Promise<void> {
    this.places = { ...this.places, ...places };
    const port = String(await freePort());
    this.#management = `http://127.0.0.1:${port}`;
    this.#host = await startHostProcess({ ...this.places, METRICS_PORT: port, LOG_LEVEL: 'error' });
    const api = (await this.#host.ready).api!;
    const account = { tokenEndpoint: await issuerTokenEndpoint(), clientID: 'editor', clientSecret: 'dev-editor' };
    this.#shop = { client: createClient({ api, accessToken: accessTokens(account) }), projectID: 'demo' };
  }

  async stop(): Promise<void> {
    this.#host?.child.kill('SIGTERM');
    expect(await this.#host?.exited, this.#host?.output()).toBe(0);
  }

  kill(): void {
    this.#host?.child.kill('SIGKILL');
  }

  /** Deploys the process of the three jobs; answers its version's id. */
  async deploy(): Promise<string> {
    const { client, projectID } = this.#shop!;
    const body = {
      name: 'delivery.bpmn',
      xml: sequenceModel(
        'delivery',
        steps.map((step) => serviceTask(step)),
      ),
    };
    const { id: resourceID } = await unwrap(
      client.POST('/projects/{projectID}/bpmn/resources', { params: { path: { projectID } }, body }),
    );
    const params = { path: { projectID, resourceID } };
    await unwrap(client.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
    return (await unwrap(client.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }))).processes![0]!
      .id;
  }

  /** Starts an instance; once it waits at its first job its id comes back. */
  async begin(processDefinitionID: string): Promise<string> {
    const { client, projectID } = this.#shop!;
    const { workflowID } = await unwrap(
      client.POST('/projects/{projectID}/bpmn/instances', {
        params: { path: { projectID } },
        body: { processDefinitionID },
      }),
    );
    const params = { path: { projectID, workflowID } };
    await eventually(`the first job of ${workflowID}`, async () => {
      const { data } = await unwrap(
        client.GET('/projects/{projectID}/bpmn/instances/{workflowID}/external-jobs', { params }),
      );
      return data[0];
    });
    return workflowID;
  }

  /** Completes these jobs of the instance, each as soon as it is there. */
  async work(workflowID: string, ...wanted: readonly Step[]): Promise<void> {
    const { client, projectID } = this.#shop!;
    for (const taskType of wanted) {
      await eventually(`${taskType} of ${workflowID} to be completed`, async () => {
        const poll = { taskType, clientID: 'packer', lockDuration: '1s', maxJobs: 100 };
        const jobs =
          (await unwrap(
            client.POST('/projects/{projectID}/bpmn/external-jobs/poll', {
              params: { path: { projectID } },
              body: poll,
            }),
          )) ?? [];
        const job = jobs.find((one) => one.workflowID === workflowID);
        if (!job) return undefined;
        const params = { path: { projectID, executionKey: job.executionKey } };
        const body = { workflowID, clientID: 'packer', variables: { [taskType]: true } };
        return unwrap(
          client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', { params, body }),
        );
      });
    }
  }

  /** The status of the instance, or undefined. */
  async statusOf(workflowID: string): Promise<string | undefined> {
    const { client, projectID } = this.#shop!;
    try {
      return (
        await unwrap(
          client.GET('/projects/{projectID}/bpmn/instances/{workflowID}', {
            params: { path: { projectID, workflowID } },
          }),
        )
      ).status;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async untilCompleted(...workflowIDs: readonly string[]): Promise<void> {
    for (const workflowID of workflowIDs) {
      await eventually(`the end of ${workflowID}`, async () =>
        (await this.statusOf(workflowID)) === 'COMPLETED' ? true : undefined,
      );
    }
  }

  /** The reconciler's warning in `/ready`, once it is there. */
  async complaint(): Promise<string> {
    return eventually('the reconciler to say what is wrong', async () => {
      const { warnings = [] } = (await (await fetch(`${this.#management}/ready`)).json()) as {
        warnings?: { name: string; message: string }[];
      };
      return warnings.find(({ name }) => name === 'reconciler')?.message;
    });
  }

  /** `npm run resync` with these flags. */
  async resync(...flags: readonly string[]): Promise<{ code: number; lines: string[] }> {
    const environment = { ...process.env, ...this.places };
    const run = promisify(execFile)(process.execPath, [compiledScript('host/admin/resync.js'), ...flags], {
      env: environment,
    });
    const { code, stdout } = await run.then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: { code: number; stdout: string }) => error,
    );
    return { code, lines: stdout.trim().split('\n').toSorted() };
  }
}
