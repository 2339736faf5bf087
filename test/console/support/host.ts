/** A host process with a database of its own on the stack of the tests, and calls of its API to bring about what a test looks at. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/repository.js';
import { createDatabase, tokenFor } from '../../support/infrastructure.js';
import { startHostProcess } from '../../temporal/support/host-process.js';

export interface ConsoleHost {
  /** Where the API is; the console is at `/console/` there. */
  url: string;
  databaseUrl: string;
  /**
   * Calls the API in project `demo`, as a service account of the shared issuer that is called by its role.
   *
   * @throws on any answer but 2xx, with what it says
   */
  call<T = any>(account: string, method: string, path: string, body?: object): Promise<T>;
  /** Deploys a file and answers the definitionID of its (first) process. */
  deploy(name: string, xml: string): Promise<string>;
  /** Starts an instance and answers its workflowID. */
  start(definitionID: string, variables?: object, businessId?: string): Promise<string>;
  close(): Promise<void>;
}

/** @param environment of the identity provider, where it is not the one that all tests share */
export async function startConsoleHost(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<ConsoleHost> {
  const database = await createDatabase();
  const host = await startHostProcess({
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    ...(environment && { OIDC_ISSUER: undefined, ...environment }),
  });
  const { api: url } = await Promise.race([host.ready, host.exited.then(() => ({ api: undefined }))]);
  if (url === undefined) throw new Error(`The host ended before it was ready:\n${host.output()}`);

  async function call<T>(account: string, method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}/projects/demo/bpmn${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenFor(account)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  return {
    url,
    databaseUrl: database.url,
    call,
    async deploy(name, xml) {
      const { id } = await call<{ id: string }>('editor', 'POST', '/resources', { name, xml });
      await call('editor', 'POST', `/resources/${id}/deploy`);
      const { processes } = await call<{ processes: { id: string }[] }>('editor', 'GET', `/resources/${id}`);
      return processes[0]!.id;
    },
    async start(processDefinitionID, variables = {}, businessId = undefined) {
      const { workflowID } = await call<{ workflowID: string }>('executor', 'POST', '/instances', {
        processDefinitionID,
        variables,
        ...(businessId && { businessId }),
      });
      return workflowID;
    },
    async close() {
      host.child.kill('SIGTERM');
      await host.exited;
      await database.drop();
    },
  };
}

/** A file of the example. */
export function exampleFile(name: string): string {
  return readFileSync(join(repositoryRoot, 'examples', 'order-fulfilment', name), 'utf8');
}
