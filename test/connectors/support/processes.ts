/** Hosts as processes, which can be killed: one with the API and the worker, and connectors apart. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { freePort } from '../../../dev/ports.js';
import { eventually } from '../../support/eventually.js';
import { forgetWorker } from '../../support/forget-worker.js';
import { createDatabase, temporalAddress, tokenFor, uniqueName } from '../../support/infrastructure.js';
import { startHostProcess, type HostProcess } from '../../support/hosts/host-process.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { openDatabase } from '../../support/database.js';

export interface Connector extends HostProcess {
  /** Where its management server is. */
  readonly management: string;
}

export interface Processes {
  readonly store: PooledDatabase;
  /** The next calls go to its API. */
  startHost(more?: NodeJS.ProcessEnv): Promise<HostProcess>;
  startConnector(): Promise<Connector>;
  /** Kills hosts. The next task of each instance does not wait for the worker that had the instance in memory. */
  kill(...hosts: HostProcess[]): Promise<void>;
  /** Skips the half minute in which jobs of other instances belong to connectors that were killed. */
  skipLeases(except?: string): Promise<void>;
  /** Sends a request to a path of the project and reads the JSON; fails if it is refused. */
  call(account: string, method: string, path: string, json?: object): Promise<any>;
  /** @returns the id of its first definition */
  deploy(xml: string): Promise<string>;
  /** Deploys the file and starts an instance of its process. @returns its id */
  begin(xml: string): Promise<string>;
  untilCompleted(workflowID: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/**
 * @param secrets of the project, by name
 * @param ofConnectors more variables of connectors
 */
export async function startProcesses(
  service: string,
  secrets: Record<string, string> = {},
  ofConnectors: NodeJS.ProcessEnv = {},
): Promise<Processes> {
  const database = await createDatabase();
  const secretsFolder = await writeSecrets(service, secrets);
  const store = openDatabase(database.url);
  const common = { DATABASE_URL: database.url, TEMPORAL_TASK_QUEUE: uniqueName('connectors'), LOG_LEVEL: 'warn' };
  const all: HostProcess[] = [];
  let api = '';

  const start = async (environment: NodeJS.ProcessEnv) => {
    const started = await startHostProcess({ ...common, ...environment });
    all.push(started);
    return { ...started, said: await started.ready };
  };
  // Bodies of every shape.
  const call = async (account: string, method: string, path: string, json?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${await tokenFor(account)}`, 'content-type': 'application/json' };
    const body = json && JSON.stringify(json);
    const response = await fetch(`${api}/projects/demo${path}`, { method, headers, ...(body && { body }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  };

  const deploy = async (xml: string): Promise<string> => {
    const resource = await call('editor', 'POST', '/bpmn/resources', { name: 'model', xml });
    await call('editor', 'POST', `/bpmn/resources/${resource.id}/deploy`);
    return (await call('editor', 'GET', `/bpmn/resources/${resource.id}`)).processes[0].id;
  };

  const connection = await Connection.connect({ address: await temporalAddress() });
  const kill = async (...hosts: HostProcess[]): Promise<void> => {
    for (const { child } of hosts) child.kill('SIGKILL');
    await Promise.all(hosts.map(({ exited }) => exited));
    const { rows } = await store.query<{ id: string }>(
      "SELECT workflow_id AS id FROM instances WHERE status = 'RUNNING'",
    );
    await forgetWorker(
      connection,
      rows.map(({ id }) => id),
    );
  };

  const outbound = { EGRESS_ALLOW: service, SECRETS_PATH: secretsFolder };
  return {
    store,
    call,
    async startHost(more = {}) {
      const host = await start({ PERDURE_ROLES: 'api,worker', ...outbound, ...more });
      api = host.said.api!;
      return host;
    },
    async startConnector() {
      const port = await freePort();
      const connector = await start({
        PERDURE_ROLES: 'connectors',
        METRICS_PORT: String(port),
        ...outbound,
        ...ofConnectors,
      });
      return { ...connector, management: `http://127.0.0.1:${port}` };
    },
    kill,
    async skipLeases(except = '') {
      await store.query(
        "UPDATE jobs SET available_at = now(), lock_expires_at = now() WHERE status = 'PENDING' AND workflow_id <> $1",
        [except],
      );
    },
    deploy,
    async begin(xml) {
      const started = await call('executor', 'POST', '/bpmn/instances', { processDefinitionID: await deploy(xml) });
      return started.workflowID;
    },
    async untilCompleted(workflowID) {
      await eventually('the end of the instance', async () => {
        const { status } = await call('viewer', 'GET', `/bpmn/instances/${workflowID}`);
        return status === 'COMPLETED' ? true : undefined;
      });
      return (await call('viewer', 'GET', `/bpmn/instances/${workflowID}/variables`)).variables;
    },
    async close() {
      for (const { child } of all) child.kill('SIGKILL');
      await Promise.all(all.map(({ exited }) => exited));
      await connection.close();
      await store.end();
      await database.drop();
      await rm(secretsFolder, { recursive: true });
    },
  };
}

async function writeSecrets(host: string, secrets: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'connectors-'));
  await mkdir(join(folder, 'demo'));
  for (const [name, value] of Object.entries(secrets)) {
    await writeFile(join(folder, 'demo', name), value);
    await writeFile(join(folder, 'demo', `${name}.hosts`), host);
  }
  return folder;
}
