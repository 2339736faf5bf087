/** The API and the hook listener over their own database. */
import pg from 'pg';
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { createHookApp } from '../../../../../api/hooks/app.js';
import type { Clocks } from '../../../../../api/hooks/delivery.js';
import { defaultApiConfiguration, type ApiConfiguration } from '../../../../../api/configuration.js';
import { serveApi, type ServedApi } from '../../../../../api/serve.js';
import { createSecrets } from '../../../../../outbound/secrets/secrets.js';
import { createDatabase } from '../../../../support/infrastructure.js';
import { startTestApi, type TestApi } from '../../../support/api.js';
import { read, type Called } from '../../support/host.js';
import { PooledDatabase } from '../../../../../store/connections/pooled-database.js';

export const SECRET = 'the-secret-of-the-shop';
export const STANDARD_SECRET = Buffer.from('the-standard-secret-of-the-shop').toString('base64');
export const FORMER_SECRET = 'the-former-secret-of-it';

export const HOOK = {
  name: 'Orders of the shop',
  auth: { type: 'HMAC', secret: 'SHOP', header: 'X-Signature', prefix: 'sha256=' },
  messageName: 'if get value(body, "ignore") = true then null else "Order paid"',
};

export interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Sent {
  readonly method?: string;
  /** Names and values in turn; the length is added. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
}

export interface HookHost {
  readonly api: TestApi;
  readonly store: PooledDatabase;
  /** How many statements the database was sent. */
  statements(): number;
  /** Sends a request to the API as a member with the role in the project. */
  call(role: string, method: string, path: string, json?: unknown, project?: string): Promise<Called>;
  /** Creates a hook like `HOOK` and returns its path. */
  hook(changed?: Record<string, unknown>): Promise<string>;
  send(path: string, sent: Sent): Promise<Answered>;
  /** Delivers JSON with the right signature. */
  deliver(path: string, json: unknown): Promise<{ status: number; body: any }>;
  deliveries(path: string): Promise<any[]>;
  /** Another process with the same database. */
  serveAnother(): Promise<ServedApi>;
  close(): Promise<void>;
}

export async function startHookHost({
  configuration = {},
  clocks,
}: { configuration?: Partial<ApiConfiguration>; clocks?: Clocks } = {}): Promise<HookHost> {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  const store = new PooledDatabase(pool);
  let statements = 0;
  pool.on('connect', (client) => {
    // A test ends connections; as in the host, that fails their statements only.
    client.on('error', () => undefined);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    (client as { query: unknown }).query = (...given: unknown[]) => {
      statements += 1;
      return query(...given);
    };
  });
  const secrets = createSecrets(undefined, {
    p1: { SHOP: { values: [SECRET, FORMER_SECRET], hosts: [] }, STANDARD: { values: [STANDARD_SECRET], hosts: [] } },
  });
  const api = await startTestApi({ store, context: { secrets } });
  const all = { ...defaultApiConfiguration, ...configuration };
  const serve = () => serveApi(createHookApp(api.context, all, clocks), { host: '127.0.0.1', port: 0 });
  const served = [await serve()];

  const call: HookHost['call'] = async (role, method, path, json, project = 'p1') => {
    const token = await api.issuer.sign({ sub: role, projects: [{ id: project, roles: [role] }] });
    return read(
      await api.request(method, `/projects/${project}${path}`, { token, ...(json !== undefined && { json }) }),
    );
  };
  const send = (path: string, sent: Sent) => exchange(`${served[0]!.url}${path}`, sent);

  return {
    api,
    store,
    statements: () => statements,
    call,
    async hook(changed = {}) {
      const { status, body } = await call('editor', 'POST', '/hooks', { ...HOOK, ...changed });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.path;
    },
    send,
    async deliver(path, json) {
      const { status, body } = await send(path, signed(JSON.stringify(json)));
      return { status, body: JSON.parse(body) };
    },
    async deliveries(path) {
      return (await call('editor', 'GET', `/hooks/${path.split('/').at(-1)}/deliveries?pageSize=100`)).body.data;
    },
    async serveAnother() {
      const another = await serve();
      served.push(another);
      return another;
    },
    async close() {
      for (const one of served) await one.close();
      await api.close();
      await store.end();
      await database.drop();
    },
  };
}

export function signed(body: string | Uint8Array, secret = SECRET, contentType = 'application/json'): Sent {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { headers: ['Content-Type', contentType, 'X-Signature', `sha256=${signature}`], body };
}

/** With header lines exactly as given: `fetch` would join repeated ones. */
export function exchange(url: string, { method = 'POST', headers = [], body }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
    const { host } = new URL(url);
    const outgoing = httpRequest(url, { method, headers: ['Host', host, ...headers, ...length] }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode!,
          body: Buffer.concat(chunks).toString(),
          headers: incoming.headers,
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
