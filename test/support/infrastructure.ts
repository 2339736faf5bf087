/** The real Postgres, Temporal server, issuer and Keycloak of a test run. Each is started when it is first asked for. */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import type { StackParts } from '../../tools/test/stack.js';

const templateLock = 7_303_014;

export interface TestDatabase {
  url: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/** A separate database with the current schema, copied from a template that is migrated once. */
export async function createDatabase(): Promise<TestDatabase> {
  const { maintenanceUrl } = await part('postgres');
  template ??= withClient(maintenanceUrl, (client) => ensureTemplate(client, maintenanceUrl));
  return copyDatabase(maintenanceUrl, await template);
}

/** A separate database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const { maintenanceUrl } = await part('postgres');
  return copyDatabase(maintenanceUrl, 'template1');
}

/** A copy of its current contents in a separate database. It must have no connections. */
export async function copyDatabaseOf({ url }: TestDatabase): Promise<TestDatabase> {
  const { maintenanceUrl } = await part('postgres');
  const name = new URL(url).pathname.slice(1);
  await untilLeft(maintenance(maintenanceUrl), name);
  return copyDatabase(maintenanceUrl, name);
}

/** Host and port of the Temporal server; its namespace is `default`. */
export async function temporalAddress(): Promise<string> {
  return (await part('temporal')).address;
}

/** Where the issuer is; its audience is `perdure`. */
export async function issuerUrl(): Promise<string> {
  return (await part('issuer')).issuer;
}

/** Where its service accounts get their tokens; their secrets are `dev-` and the name. */
export async function issuerTokenEndpoint(): Promise<string> {
  return (await part('issuer')).tokenEndpoint;
}

/** How the issuer's memberships are changed: its URL and the secret of that door. */
export async function issuerAdministration(): Promise<{ url: string; secret: string }> {
  const { issuer, administrationSecret } = await part('issuer');
  return { url: `${issuer}/administration`, secret: administrationSecret };
}

/** Keycloak with the realm `perdure`; it has the same service accounts as the issuer. */
export async function keycloak(): Promise<StackParts['keycloak']> {
  return part('keycloak');
}

/** An access token of a service account: viewer, executor, editor, admin, system-admin or outsider. */
export async function tokenFor(name: string): Promise<string> {
  const response = await fetch(await issuerTokenEndpoint(), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: name,
      client_secret: `dev-${name}`,
      scope: 'openid profile',
    }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`The issuer gave ${name} no token: ${JSON.stringify(body)}`);
  return body.access_token;
}

/** A name that nothing else in this run has: for a task queue, a namespace, a workflow. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

/** Parts that this thread has asked for: what a run has started stays where it is. */
const parts = new Map<keyof StackParts, Promise<unknown>>();

function part<Part extends keyof StackParts>(name: Part): Promise<StackParts[Part]> {
  if (!parts.has(name)) parts.set(name, askForPart(name));
  return parts.get(name) as Promise<StackParts[Part]>;
}

async function askForPart<Part extends keyof StackParts>(name: Part): Promise<StackParts[Part]> {
  const stackUrl = inject('stackUrl');
  if (stackUrl === undefined)
    throw new Error(`The layer of this test has no ${name}. Move the file to another layer in tools/test/layers.ts.`);
  const response = await fetch(`${stackUrl}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as StackParts[Part];
}

async function copyDatabase(maintenanceUrl: string, from: string): Promise<TestDatabase> {
  const name = uniqueName('test').replaceAll('-', '_');
  await maintenance(maintenanceUrl).query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  return {
    url: urlOf(maintenanceUrl, name),
    async drop() {
      await untilLeft(maintenance(maintenanceUrl), name);
      await maintenance(maintenanceUrl).query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A database that this process has migrated, or found migrated. */
let template: Promise<string> | undefined;

let pool: pg.Pool | undefined;

/** The connection of this process that creates and drops databases. It does not keep the process alive. */
function maintenance(url: string): pg.Pool {
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // One that breaks is replaced by the next statement.
    pool.on('error', () => undefined);
  }
  return pool;
}

/**
 * A pool that has ended may still be closing its connections; cutting these off would be an error without a
 * listener. What a test leaves open is cut off all the same, after a second.
 */
async function untilLeft(connection: pg.Pool, database: string): Promise<void> {
  const until = performance.now() + 1_000;
  for (let wait = 2; performance.now() < until; wait = Math.min(50, 2 * wait)) {
    const { rowCount } = await connection.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [database]);
    if (rowCount === 0) return;
    await delay(wait);
  }
}

/** The template is named after the migrations, so that changed ones never meet an old one. */
async function ensureTemplate(client: pg.Client, maintenanceUrl: string): Promise<string> {
  const name = `template_${hashOfMigrations()}`;
  await client.query('SELECT pg_advisory_lock($1)', [templateLock]);
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await createTemplate(client, maintenanceUrl, name);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [templateLock]);
  }
  return name;
}

/** Migrates under another name first: a template that exists is complete. */
async function createTemplate(client: pg.Client, maintenanceUrl: string, name: string): Promise<void> {
  const draft = `${name}_draft`;
  await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${draft}`);
  // Loaded here, because most tests that need a part of the stack need no schema.
  const { migrate } = await import('../../store/migrate.js');
  await migrate(urlOf(maintenanceUrl, draft));
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
}

function hashOfMigrations(): string {
  const folder = join(repositoryRoot, 'store', 'migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.sql'))
    .sort())
    hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}

function urlOf(maintenanceUrl: string, database: string): string {
  const url = new URL(maintenanceUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
