/** A host process on the stack of the test run, with clients of its accounts. */
import { expect } from 'vitest';
import { accessTokens, unwrap, createClient, type PerdureClient } from '@perdure/client';
import { killAll, survivors, untilGone } from '../../dev/processes.js';
import { TestHome, type Ready } from '../../dev/start-command.js';
import {
  createEmptyDatabase,
  issuerTokenEndpoint,
  issuerUrl,
  temporalAddress,
  uniqueName,
} from '../../support/infrastructure.js';
import type { PooledDatabase } from '../../../store/connections/pooled-database.js';
import { openDatabase } from '../../support/database.js';

export const projectID = 'demo';

export interface ClientHost {
  readonly ready: Ready;
  readonly store: PooledDatabase;
  readonly tokenEndpoint: string;
  client(account: string): PerdureClient;
  /** Deploys a file; answers the id of its first process's new version. */
  deploy(xml: string): Promise<string>;
  /** Starts an instance; answers its workflowID. */
  start(processDefinitionID: string, variables?: Record<string, unknown>): Promise<string>;
  /** Kills the process that serves and works; its command starts it again. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** @param tokenEndpoint where clients get their tokens instead of the issuer's own */
export async function startClientHost(
  environment: NodeJS.ProcessEnv = {},
  tokenEndpoint?: string,
): Promise<ClientHost> {
  const home = new TestHome();
  const database = await createEmptyDatabase();
  const given = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: await temporalAddress(),
    TEMPORAL_TASK_QUEUE: uniqueName('client'),
    OIDC_ISSUER: await issuerUrl(),
  };
  const command = home.start({ ...given, LOG_LEVEL: 'warn', ...environment });
  const ready = await command.ready();
  const store = openDatabase(database.url);
  const endpoint = tokenEndpoint ?? (await issuerTokenEndpoint());
  const client = (account: string) =>
    createClient({
      api: ready.api,
      accessToken: accessTokens({ tokenEndpoint: endpoint, clientID: account, clientSecret: `dev-${account}` }),
    });
  const editor = client('editor');
  return {
    ready,
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
    async crash() {
      const host =
        command.family().find((identity) => survivors([identity])[0]?.includes('/host/main.js')) ??
        expect.fail('The command runs no host process');
      killAll([host]);
      await untilGone([host]);
    },
    async close() {
      await store.end();
      await home.remove();
      await database.drop();
    },
  };
}
