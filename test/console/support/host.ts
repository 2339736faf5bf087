/** A host with its own database on the stack of the tests, and calls of its API to bring about what a test looks at. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { repositoryRoot } from '../../../dev/repository.js';
import { createDatabase, tokenFor } from '../../support/infrastructure.js';
import { startHost } from '../../support/hosts/host.js';
import { portOfProcess } from './browser.js';

export interface ConsoleHost {
  /** Where the API is; the console is at `/console/` there. */
  url: string;
  databaseUrl: string;
  /**
   * Calls the API in project `demo`, as a service account of the shared issuer that is called by its role.
   *
   * @param prefer the header, for example `wait=0` for a command whose outcome comes later
   * @throws on any answer but 2xx, with what it says
   */
  call<T = any>(account: string, method: string, path: string, body?: object, prefer?: string): Promise<T>;
  /** As `call`, for what is not below `/bpmn`. */
  callProject<T = any>(account: string, method: string, path: string, body?: object, prefer?: string): Promise<T>;
  /** Deploys a file and answers the definitionID of its (first) process. */
  deploy(name: string, xml: string): Promise<string>;
  /** Deploys files together and answers the definitionID of the first process in them. */
  deployBundle(files: Readonly<Record<string, string>>): Promise<string>;
  /** Starts an instance and answers its workflowID. */
  start(definitionID: string, variables?: object, businessId?: string): Promise<string>;
  /** Waits until an instance has an open user task and answers its executionKey. */
  openTask(workflowID: string): Promise<string>;
  changeSettings(settings: object): Promise<void>;
  close(): Promise<void>;
}

/** By their names, as the host is configured. */
const secretsOfDemo = {
  BANK: { values: ['the-password-at-the-bank'], hosts: ['api.bank.example.invalid', 'test.bank.example.invalid:8443'] },
  EVENTS: { values: [Buffer.from('the-secret-of-the-events').toString('base64')] },
  GITHUB: { values: ['the-secret-of-the-repository'] },
};

/** Of service accounts, by name. A token is valid for an hour. */
const tokens = new Map<string, { token: Promise<string>; requestedAt: number }>();
const KEPT_MS = 30 * 60_000;

/** The same token for half an hour: tests that wait for a state call the API many times. */
function tokenOf(account: string): Promise<string> {
  const kept = tokens.get(account);
  if (kept && performance.now() - kept.requestedAt < KEPT_MS) return kept.token;
  const token = tokenFor(account);
  tokens.set(account, { token, requestedAt: performance.now() });
  token.catch(() => tokens.delete(account));
  return token;
}

/** @param environment of the identity provider, where it is not the one that all tests share */
export async function startConsoleHost(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<ConsoleHost> {
  const database = await createDatabase();
  const host = await startHost({
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    PORT: String(await portOfProcess()),
    // Nothing answers there: names below .invalid do not exist.
    EGRESS_ALLOW: '*.example.invalid',
    SECRETS: JSON.stringify({ demo: secretsOfDemo }),
    ...(environment && { OIDC_ISSUER: undefined, ...environment }),
  });
  const url = host.api;

  const call = <T>(account: string, method: string, path: string, body?: object, prefer?: string) =>
    callProject<T>(account, method, `/bpmn${path}`, body, prefer);

  async function callProject<T>(
    account: string,
    method: string,
    path: string,
    body?: object,
    prefer?: string,
  ): Promise<T> {
    const response = await fetch(`${url}/projects/demo${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await tokenOf(account)}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(prefer !== undefined && { prefer }),
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
    callProject,
    async deploy(name, xml) {
      const { id } = await call<{ id: string }>('editor', 'POST', '/resources', { name, xml });
      await call('editor', 'POST', `/resources/${id}/deploy`);
      const { processes } = await call<{ processes: { id: string }[] }>('editor', 'GET', `/resources/${id}`);
      return processes[0]!.id;
    },
    async deployBundle(files) {
      const content = Object.entries(files).map(([name, text]) => ({ name, content: text }));
      const deployed = await call<{ files: { processes?: { definitionID: string }[] }[] }>(
        'editor',
        'POST',
        '/deployments',
        { files: content },
      );
      return deployed.files.flatMap(({ processes = [] }) => processes)[0]!.definitionID;
    },
    async openTask(workflowID) {
      return vi.waitFor(
        async () => {
          const path = `/instances/${workflowID}/user-tasks?status=CREATED`;
          const { data } = await call<{ data: { executionKey: string }[] }>('executor', 'GET', path);
          expect(data).not.toEqual([]);
          return data[0]!.executionKey;
        },
        { timeout: 20_000 },
      );
    },
    async changeSettings(settings) {
      await callProject('admin', 'PATCH', '/settings', settings);
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
      await host.stop();
      await database.drop();
    },
  };
}

/** A file of the example. */
export function exampleFile(name: string): string {
  return readFileSync(join(repositoryRoot, 'examples', 'order-fulfilment', name), 'utf8');
}
