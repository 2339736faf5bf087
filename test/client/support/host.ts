/** A host on the stack of the test run, with clients of its accounts. */
import { expect } from 'vitest';
import { accessTokens, unwrap, createClient, type PerdureClient } from '@perdure/client';
import { killAll, survivors, untilGone } from '../../dev/processes.js';
import { TestHome } from '../../dev/start-command.js';
import { hostEnvironment } from '../../support/hosts/environment.js';
import { startHost } from '../../support/hosts/host.js';
import { createDatabase, issuerTokenEndpoint } from '../../support/infrastructure.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { openDatabase } from '../../support/database.js';

export const projectID = 'demo';

export interface ClientHost {
  /** URL of the API. */
  readonly api: string;
  readonly store: PooledDatabase;
  readonly tokenEndpoint: string;
  client(account: string): PerdureClient;
  /** Deploys a file; answers the id of its first process's new version. */
  deploy(xml: string): Promise<string>;
  /** Starts an instance; answers its workflowID. */
  start(processDefinitionID: string, variables?: Record<string, unknown>): Promise<string>;
  /** Kills the process that serves and works; its command starts it again. Only with `byCommand`. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

export interface ClientHostOptions {
  environment?: NodeJS.ProcessEnv;
  /** Where clients get their tokens instead of the issuer's own. */
  tokenEndpoint?: string;
  /** Started by `npm start`, as processes that can crash. */
  byCommand?: boolean;
}

export async function startClientHost(options: ClientHostOptions = {}): Promise<ClientHost> {
  const { environment = {}, tokenEndpoint, byCommand = false } = options;
  const database = await createDatabase();
  const all = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...environment };
  const running = byCommand ? await startCommand(all) : await startInProcess(all);
  const store = openDatabase(database.url);
  const endpoint = tokenEndpoint ?? (await issuerTokenEndpoint());
  const client = (account: string) =>
    createClient({
      api: running.api,
      accessToken: accessTokens({ tokenEndpoint: endpoint, clientID: account, clientSecret: `dev-${account}` }),
    });
  const editor = client('editor');
  return {
    api: running.api,
    store,
    tokenEndpoint: endpoint,
    client,
    async deploy(xml) {
      const { id: resourceID } = await unwrap(
        editor.POST('/projects/{projectID}/bpmn/resources', {
          params: { path: { projectID } },
          body: { name: 'a model', xml },
        }),
      );
      const params = { path: { projectID, resourceID } };
      await unwrap(editor.POST('/projects/{projectID}/bpmn/resources/{resourceID}/deploy', { params }));
      const { processes } = await unwrap(editor.GET('/projects/{projectID}/bpmn/resources/{resourceID}', { params }));
      return processes?.[0]?.id ?? expect.fail('no process was deployed');
    },
    async start(processDefinitionID, variables = {}) {
      const started = await unwrap(
        editor.POST('/projects/{projectID}/bpmn/instances', {
          params: { path: { projectID } },
          body: { processDefinitionID, variables },
        }),
      );
      return started.workflowID;
    },
    crash: running.crash,
    async close() {
      await store.end();
      await running.stop();
      await database.drop();
    },
  };
}

interface Running {
  api: string;
  crash(): Promise<void>;
  stop(): Promise<void>;
}

async function startInProcess(environment: NodeJS.ProcessEnv): Promise<Running> {
  const host = await startHost(environment);
  return { ...host, crash: () => expect.fail('Only a host by command can crash') };
}

async function startCommand(environment: NodeJS.ProcessEnv): Promise<Running> {
  const home = new TestHome();
  const command = home.start({ ...(await hostEnvironment()), ...environment });
  const { api } = await command.ready();
  return {
    api,
    async crash() {
      const host =
        command.family().find((identity) => survivors([identity])[0]?.includes('/host/main.js')) ??
        expect.fail('The command runs no host process');
      killAll([host]);
      await untilGone([host]);
    },
    stop: () => home.remove(),
  };
}
