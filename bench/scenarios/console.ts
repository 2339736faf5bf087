/**
 * How soon the console shows its content: `node dist/bench/scenarios/console.js [--instances 100000] [--rounds 10]`. The
 * real stack, a real Chromium, instances written by SQL and one that was started. Times are milliseconds from leaving for
 * the address until the content is there, by a user whose session at the issuer is valid, on a page without anything cached.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { findChromium } from '../../tools/chromium.js';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { openStack, type StackParts } from '../../tools/test/stack.js';
import { migrate } from '../../store/migrate.js';
import { median, quantile } from '../statistics.js';

const { values: options } = parseArgs({
  options: { instances: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '10' } },
});
type Session = Awaited<ReturnType<BrowserContext['storageState']>>;

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const stack = await openStack();
try {
  const { maintenanceUrl } = await part('postgres');
  const databaseUrl = await createDatabase(maintenanceUrl);
  const host = spawn(process.execPath, [compiledScript('host/main.js')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: (await part('temporal')).address,
      OIDC_ISSUER: (await part('issuer')).issuer,
    },
  });
  const [{ api }] = (await once(host, 'message')) as [{ api: string }];
  const workflowID = await startOne(api, databaseUrl);
  const browser = await chromium.launch({ ...(findChromium() && { executablePath: findChromium() }), args: flags });
  const list = `${api}/console/projects/demo/instances`;
  const session = await signIn(browser, list);
  const report = {
    instances: Number(options.instances),
    loadAverage: loadavg(),
    list: summary(
      await repeat(() => firstView(browser, session, list, (page) => page.locator('tbody tr').first().waitFor())),
    ),
    instance: summary(
      await repeat(() =>
        firstView(browser, session, `${list}/${workflowID}`, (page) =>
          page.locator('[data-mark=token]').first().waitFor(),
        ),
      ),
    ),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  await browser.close();
  host.kill('SIGTERM');
  await once(host, 'exit');
} finally {
  await stack.stop();
}

async function part<Name extends keyof StackParts>(name: Name): Promise<StackParts[Name]> {
  return (await (await fetch(`${stack.url}/${name}`)).json()) as StackParts[Name];
}

async function createDatabase(maintenanceUrl: string): Promise<string> {
  await query(maintenanceUrl, 'CREATE DATABASE console');
  const url = new URL(maintenanceUrl);
  url.pathname = '/console';
  await migrate(url.href);
  return url.href;
}

/** Deploys the example and starts one order; the others are rows that have ended, under the same definition. */
async function startOne(api: string, databaseUrl: string): Promise<string> {
  const { tokenEndpoint } = await part('issuer');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'editor',
    client_secret: 'dev-editor',
    scope: 'openid profile',
  });
  const { access_token: token } = (await (await fetch(tokenEndpoint, { method: 'POST', body })).json()) as {
    access_token: string;
  };
  const call = async (path: string, json: object) => {
    const response = await fetch(`${api}/projects/demo/bpmn${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    const text = await response.text();
    return (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
  };
  const file = join(repositoryRoot, 'examples', 'order-fulfilment', 'order-fulfilment.bpmn');
  const xml = decodeFile(readFileSync(file), file);
  const { id } = await call('/resources', { name: 'order-fulfilment.bpmn', xml });
  await call(`/resources/${id}/deploy`, {});
  await query(
    databaseUrl,
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, business_id, status, completed_at, created_at, variables)
     SELECT made.id, made.id, project_id, definitions.id, 'order-' || n, 'COMPLETED', now(), now() - n * interval '1 second', json_build_object('orderID', 'order-' || n)
     FROM definitions, (SELECT gen_random_uuid()::text AS id, n FROM generate_series(1, ${Number(options.instances)}) AS n) AS made`,
  );
  await query(databaseUrl, 'VACUUM ANALYZE instances');
  return (await call(`/resources/${id}/test`, { variables: { orderID: 'order-0', total: 120, items: [] } }))[
    'workflowID'
  ]!;
}

/** Answers the cookies of the session at the issuer. */
async function signIn(browser: Browser, address: string): Promise<Session> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('input[name=name]').fill('viewer');
  await page.locator('input[name=password]').fill('dev-viewer');
  await page.locator('button[type=submit], input[type=submit]').click();
  await page.locator('tbody tr').first().waitFor();
  const session = await context.storageState();
  await context.close();
  return session;
}

interface FirstView {
  milliseconds: number;
  requests: number;
  /** The most requests of which each begins after the one before it has been answered. */
  requestsInSequence: number;
  /** Of all answers, as they were sent. */
  bytes: number;
}

async function firstView(
  browser: Browser,
  session: Session,
  address: string,
  arrived: (page: Page) => Promise<void>,
): Promise<FirstView> {
  const context = await browser.newContext({ storageState: session });
  const page = await context.newPage();
  const begun = new Map<Request, number>();
  const answered: { request: Request; begin: number; end: number }[] = [];
  page.on('request', (request) => begun.set(request, performance.now()));
  page.on('requestfinished', (request) =>
    answered.push({ request, begin: begun.get(request)!, end: performance.now() }),
  );
  const begin = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await arrived(page);
  const milliseconds = performance.now() - begin;
  const sizes = await Promise.all(answered.map(({ request }) => request.sizes()));
  await context.close();
  return {
    milliseconds,
    requests: answered.length,
    requestsInSequence: maxSequenceLength(answered),
    bytes: sizes.reduce(
      (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
      0,
    ),
  };
}

function maxSequenceLength(spans: readonly { begin: number; end: number }[]): number {
  let count = 0;
  let last = -Infinity;
  for (const { begin, end } of [...spans].sort((a, b) => a.end - b.end)) {
    if (begin < last) continue;
    count += 1;
    last = end;
  }
  return count;
}

async function repeat(work: () => Promise<FirstView>): Promise<FirstView[]> {
  const views: FirstView[] = [];
  for (let round = 0; round < Number(options.rounds); round += 1) views.push(await work());
  return views;
}

function summary(views: readonly FirstView[]) {
  const times = views.map(({ milliseconds }) => milliseconds);
  const middle = (of: (view: FirstView) => number) => Math.round(median(views.map(of)));
  return {
    medianMs: Math.round(median(times)),
    p90Ms: Math.round(quantile(times, 0.9)),
    requests: middle(({ requests }) => requests),
    requestsInSequence: middle(({ requestsInSequence }) => requestsInSequence),
    kilobytes: middle(({ bytes }) => bytes / 1024),
  };
}

async function query(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
