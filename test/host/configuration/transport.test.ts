import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../host/configuration/config.js';
import { plainConnections } from '../../../host/configuration/transport.js';

const local = {
  DATABASE_URL: 'postgres://perdure:secret@localhost:5432/perdure',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  OIDC_ISSUER: 'http://localhost:9000',
};
const roles = ['api', 'worker', 'connectors'] as const;

describe('a host with NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  const off = { ...local, NODE_TLS_REJECT_UNAUTHORIZED: '0' };

  const cases: readonly (readonly [string, NodeJS.ProcessEnv])[] = [
    ['the issuer', { PERDURE_ROLES: 'api', OIDC_ISSUER: 'https://id.example' }],
    ['a service', { PERDURE_ROLES: 'connectors', EGRESS_ALLOW: 'api.example.com' }],
    ['any service', { PERDURE_ROLES: 'connectors', EGRESS_ALLOW: '*.localhost' }],
    ['the collector', { PERDURE_ROLES: 'worker', OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' }],
    ...roles.flatMap((role) => [
      [`Postgres (${role})`, { PERDURE_ROLES: role, DATABASE_URL: 'postgres://u:p@db.example.com/perdure' }] as const,
      [`Temporal (${role})`, { PERDURE_ROLES: role, TEMPORAL_ADDRESS: 'temporal.example.com:7233' }] as const,
    ]),
  ];

  it.each(cases)('is refused if a connection to %s leaves this machine', (_what, elsewhere) => {
    expect(() => readConfig({ ...off, ...elsewhere })).toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone');
  });

  it.each(roles)('starts as %s while every connection stays on this machine', (role) => {
    const here = { ...off, PERDURE_ROLES: role, EGRESS_ALLOW: 'http://127.0.0.1:8081,localhost' };
    expect(readConfig(here).roles).toEqual(new Set([role]));
  });
});

describe('connections without TLS', () => {
  const plain = (environment: NodeJS.ProcessEnv) =>
    plainConnections(readConfig({ ...local, ...environment })).map(({ connection, host }) => `${connection} ${host}`);

  it('are named if they leave this machine', () => {
    expect(plain({})).toEqual([]);
    expect(plain({ DATABASE_URL: 'postgres:///perdure?host=/run/postgresql', TEMPORAL_ADDRESS: '[::1]:7233' })).toEqual(
      [],
    );
    expect(plain({ DATABASE_URL: 'postgres://u:p@db.example.com/perdure' })).toEqual(['Postgres db.example.com']);
    expect(plain({ TEMPORAL_ADDRESS: 'temporal.example.com:7233' })).toEqual(['Temporal temporal.example.com']);
  });

  it.each([
    ['disable', ['Postgres db.example.com']],
    ['no-verify', ['Postgres db.example.com']],
    ['verify-full', []],
  ])('are recognized as the driver reads its URL: sslmode=%s', (mode, expected) => {
    const url = `postgres://u:p@db.example.com/perdure?sslmode=${mode}`;
    expect(plain({ DATABASE_URL: url, TEMPORAL_ADDRESS: 'temporal.example.com:7233', TEMPORAL_TLS: 'true' })).toEqual(
      expected,
    );
  });
});
