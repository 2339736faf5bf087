import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openManagementServer, type ManagementServer } from '../../host/management-server.js';

let door: ManagementServer;
beforeEach(async () => {
  door = await openManagementServer(new Registry(), { host: '127.0.0.1', port: 0 });
});
afterEach(() => door.close());

async function ask(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${door.url}${path}`);
  return { status: response.status, body: await response.json() };
}

it('a host that is starting lives and is not ready', async () => {
  expect(await ask('/health')).toEqual({ status: 200, body: { status: 'live' } });
  expect(await ask('/ready')).toEqual({
    status: 503,
    body: { status: 'not ready', missing: [{ name: 'host', message: 'The host is starting' }] },
  });
});

it('a host that has started is ready while nothing is missing', async () => {
  const problems: string[] = [];
  door.declareStarted([{ name: 'postgres', check: async () => problems[0] }]);
  expect(await ask('/ready')).toEqual({ status: 200, body: { status: 'ready' } });

  problems.push('Postgres does not respond');
  expect(await ask('/ready')).toEqual({
    status: 503,
    body: { status: 'not ready', missing: [{ name: 'postgres', message: 'Postgres does not respond' }] },
  });
});

it('a problem of some instances is a warning of a host that is ready', async () => {
  const warning = { name: 'reconciler', message: '1 of 5 running instances have no open workflow in Temporal' };
  door.declareStarted([], [{ name: warning.name, check: async () => warning.message }]);
  expect(await ask('/ready')).toEqual({ status: 200, body: { status: 'ready', warnings: [warning] } });
});

it('a port that is taken is an error of the start', async () => {
  await expect(
    openManagementServer(new Registry(), { host: '127.0.0.1', port: Number(new URL(door.url).port) }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
