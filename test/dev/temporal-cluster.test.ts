import { expect, it } from 'vitest';
import { chooseServerPorts, serverEnvironment } from '../../dev/topology/temporal-cluster.js';

it('a restarted Temporal server listens at its former address, so that its services find one another at once', async () => {
  const options = {
    postgres: { host: '127.0.0.1', port: 5432 },
    account: { user: 'perdure', password: 'secret' },
    folder: '/nowhere',
    ports: await chooseServerPorts(),
  };
  const [first, restarted] = [serverEnvironment(options), serverEnvironment(options)];

  expect(restarted).toEqual(first);
  const ports = Object.entries(first).filter(([name]) => /_(GRPC|MEMBERSHIP|HTTP)_PORT$/.test(name));
  expect(ports.map(([name]) => name).toSorted()).toEqual([
    'FRONTEND_GRPC_PORT',
    'FRONTEND_HTTP_PORT',
    'FRONTEND_MEMBERSHIP_PORT',
    'HISTORY_GRPC_PORT',
    'HISTORY_MEMBERSHIP_PORT',
    'MATCHING_GRPC_PORT',
    'MATCHING_MEMBERSHIP_PORT',
    'WORKER_GRPC_PORT',
    'WORKER_MEMBERSHIP_PORT',
  ]);
  expect(new Set(ports.map(([, port]) => port)).size, `two services share a port: ${JSON.stringify(ports)}`).toBe(
    ports.length,
  );
});
