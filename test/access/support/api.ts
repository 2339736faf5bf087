/** The API over its own database, trusting one identity provider. */
import { startTestApi, type RequestOptions, type TestApi } from '../../api/support/api.js';
import { read, type Called } from '../../api/operations/support/host.js';
import { createDatabase } from '../../support/infrastructure.js';
import type { IdentityProvider, ServiceAccount } from './provider.js';
import { openDatabase } from '../../support/database.js';

export interface ProviderApi {
  readonly api: TestApi;
  /** Sends a request with a new token of the account. */
  as(account: ServiceAccount, method: string, path: string, json?: unknown): Promise<Called>;
  call(method: string, path: string, options: RequestOptions): Promise<Called>;
  /** A project that nothing else uses, without members. */
  createProject(): Promise<string>;
  close(): Promise<void>;
}

export async function startProviderApi(
  provider: IdentityProvider,
  options: Parameters<typeof startTestApi>[0] = {},
): Promise<ProviderApi> {
  const database = await createDatabase();
  const store = openDatabase(database.url, { max: 10 });
  // Other test files change the keys of a shared provider in the meantime, and a cooldown would make their new tokens wait.
  const keySetTimes = { cooldownMilliseconds: 0, ...options.keySetTimes };
  const api = await startTestApi({ ...options, keySetTimes, store, env: { ...provider.environment, ...options.env } });
  const call = async (method: string, path: string, request: RequestOptions) =>
    read(await api.request(method, path, request));
  const as = async (account: ServiceAccount, method: string, path: string, json?: unknown) =>
    call(method, path, { token: await provider.token(account), ...(json === undefined ? {} : { json }) });
  return {
    api,
    as,
    call,
    async createProject() {
      const { status, body } = await as('admin', 'POST', '/projects', { name: 'A separate project' });
      if (status !== 201) throw new Error(`creating a project answered ${status}: ${JSON.stringify(body)}`);
      return body.id as string;
    },
    async close() {
      await api.close();
      await store.end();
      await database.drop();
    },
  };
}
