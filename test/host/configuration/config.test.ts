import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../host/configuration/config.js';
import { ConfigurationError } from '../../../host/configuration/configuration-error.js';

const thisFile = fileURLToPath(import.meta.url);
const enough = {
  DATABASE_URL: 'postgres://perdure:secret@localhost:5432/perdure',
  TEMPORAL_ADDRESS: 'localhost:7233',
  OIDC_ISSUER: 'https://issuer.example',
};

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('the configuration of the host', () => {
  it('needs a database, a Temporal address and an issuer, and has a default for everything else', () => {
    expect(readConfig(enough)).toMatchObject({
      roles: new Set(['api', 'worker']),
      host: '127.0.0.1',
      port: 8080,
      metricsPort: undefined,
      api: { corsOrigins: new Set(), requestRate: { perSecond: 300, burst: 600 }, simultaneousSearches: 4 },
      databaseUrl: 'postgres://perdure:secret@localhost:5432/perdure',
      temporal: {
        address: 'localhost:7233',
        namespace: 'default',
        taskQueue: 'perdure',
        deployment: undefined,
        apiKey: undefined,
        tls: undefined,
      },
      access: { issuers: [{ issuer: 'https://issuer.example', audiences: ['perdure'] }] },
      rotationLimit: 10000,
      shutdownDelayMilliseconds: 0,
      historyRetentionMilliseconds: undefined,
      auditRetentionMilliseconds: undefined,
      auditRetentionMinimumMilliseconds: 90 * 86_400_000,
      logLevel: 'info',
    });
  });

  it('lets step commits wait unless hot instances are off', () => {
    expect(readConfig(enough).hotInstances).toEqual({ maxMs: 1_000, slotShare: 0.3 });
    expect(
      readConfig({ ...enough, HOT_INSTANCES_LINGER_MS: '200', HOT_INSTANCES_SLOT_PERCENT: '20' }).hotInstances,
    ).toEqual({ maxMs: 200, slotShare: 0.2 });
    expect(readConfig({ ...enough, HOT_INSTANCES: 'off' }).hotInstances).toBeUndefined();
    expect(problemsOf({ ...enough, HOT_INSTANCES_LINGER_MS: '60000' })).toHaveLength(1);
  });

  it('names every mistake at once', () => {
    const problems = problemsOf({
      PORT: '80800',
      PERDURE_ROLES: 'api,wrker',
      LOG_LEVEL: 'loud',
      TEMPORAL_ADDRESS: 'http://localhost:7233',
      OIDC_ISSUER: 'issuer.example',
      RATE_LIMIT_BURST: 'many',
    });

    expect(problems).toEqual([
      'PERDURE_ROLES must be a comma-separated list of api, worker, connectors, but is "api,wrker"',
      'PORT must be a port number from 0 to 65535, but is "80800"',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, but is "loud"',
      'DATABASE_URL is not set; it must be a Postgres URL such as postgres://user:password@localhost:5432/perdure',
      'TEMPORAL_ADDRESS must be the host and port of a Temporal frontend such as localhost:7233, but is "http://localhost:7233"',
      'OIDC_ISSUER must be an absolute https URL, but is "issuer.example"',
      'RATE_LIMIT_BURST must be a whole number from 1 to 999999999, but is "many"',
    ]);
  });

  it.each(['', '-1', '1.5', '0x10', '1e3', ' 80'])('takes only a whole number for a port (%j)', (port) => {
    expect(problemsOf({ ...enough, PORT: port })).toHaveLength(port === '' ? 0 : 1);
  });

  it('takes the two names of a worker deployment together, and neither alone', () => {
    const both = { ...enough, TEMPORAL_DEPLOYMENT_NAME: 'perdure', TEMPORAL_WORKER_BUILD_ID: '1.5.0' };
    expect(readConfig(both).temporal.deployment).toEqual({ deploymentName: 'perdure', buildId: '1.5.0' });
    expect(problemsOf({ ...enough, TEMPORAL_DEPLOYMENT_NAME: 'perdure' })).toEqual([
      'TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID must be set together, but only one of them is',
    ]);
    expect(problemsOf({ ...both, TEMPORAL_DEPLOYMENT_NAME: 'perdure.eu' })).toHaveLength(1);
  });

  it('reads keys for payloads from a variable or a file, and never repeats them', () => {
    const key = `2026-11=${Buffer.alloc(32, 7).toString('base64')}`;
    expect(readConfig({ ...enough, TEMPORAL_PAYLOAD_KEYS: key }).temporal.payloadKeys?.current).toBe('2026-11');
    const [problem] = problemsOf({ ...enough, TEMPORAL_PAYLOAD_KEYS: `${key}x` });
    expect(problem).toMatch(
      /^TEMPORAL_PAYLOAD_KEYS must be keys as name=base64 of 32 bytes, .* but is not \(value hidden/,
    );
    expect(problemsOf({ ...enough, TEMPORAL_PAYLOAD_KEYS_PATH: thisFile })).toEqual([
      expect.stringMatching(/^TEMPORAL_PAYLOAD_KEYS_PATH must be a file with keys/),
    ]);
    expect(problemsOf({ ...enough, CODEC_PORT: '9000' })).toEqual([
      expect.stringMatching(/^CODEC_PORT is set, but there are no keys to decrypt with/),
    ]);
  });

  it('keeps history as long as configured', () => {
    expect(readConfig({ ...enough, HISTORY_RETENTION: '90d' }).historyRetentionMilliseconds).toBe(90 * 86_400_000);
    expect(problemsOf({ ...enough, HISTORY_RETENTION: '10s' })).toEqual([
      'HISTORY_RETENTION must be a duration from one minute to 100 years, such as 90d or P90D, but is "10s"',
    ]);
  });

  it('refuses a default for the audit log below its minimum', () => {
    const both = readConfig({ ...enough, AUDIT_RETENTION: '30d', AUDIT_RETENTION_MINIMUM: 'P30D' });
    expect(both.auditRetentionMilliseconds).toBe(both.auditRetentionMinimumMilliseconds);
    expect(problemsOf({ ...enough, AUDIT_RETENTION: '30d' })).toEqual([
      'AUDIT_RETENTION must be at least AUDIT_RETENTION_MINIMUM, P90D, but is P30D. Raise the one or lower the other.',
    ]);
  });

  it('leaves the number of instances in memory to the SDK by default', () => {
    expect(readConfig(enough).cachedInstances).toBeUndefined();
    expect(readConfig({ ...enough, WORKER_MAX_CACHED_INSTANCES: '10000' }).cachedInstances).toBe(10_000);
    expect(problemsOf({ ...enough, WORKER_MAX_CACHED_INSTANCES: '99' })).toEqual([
      'WORKER_MAX_CACHED_INSTANCES must be a whole number from 100 to 1000000, but is "99"',
    ]);
  });

  it('never repeats a secret, not even a wrong one', () => {
    const [problem] = problemsOf({ ...enough, DATABASE_URL: 'mysql://perdure:hunter2@localhost' });

    expect(problem).not.toContain('hunter2');
    const [pasted] = problemsOf({ ...enough, TEMPORAL_ADDRESS: 'postgres://perdure:hunter2@localhost' });
    expect(pasted).toContain('but is "postgres://***@localhost"');
  });

  it('takes a separator without items for an empty list where a list can be empty', () => {
    expect(readConfig({ ...enough, CORS_ORIGINS: ',', CODEC_ORIGINS: ' , ' })).toMatchObject({
      api: { corsOrigins: new Set() },
      codecOrigins: [],
    });
    expect(problemsOf({ ...enough, PERDURE_ROLES: ',' })).toHaveLength(1);
  });

  it('needs no issuer where there is no API', () => {
    expect(readConfig({ ...enough, PERDURE_ROLES: 'worker', OIDC_ISSUER: undefined }).access).toBeUndefined();
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ ...enough, LOG_LEVEL: '', METRICS_PORT: '' })).toMatchObject({
      logLevel: 'info',
      metricsPort: undefined,
    });
  });

  it('reads lists with blanks around their commas', () => {
    expect(
      readConfig({ ...enough, PERDURE_ROLES: ' worker ', CORS_ORIGINS: 'https://a.example, http://localhost:5173' }),
    ).toMatchObject({
      roles: new Set(['worker']),
      api: { corsOrigins: new Set(['https://a.example', 'http://localhost:5173']) },
    });
  });

  it.each(['*', 'https://a.example/', 'a.example', 'https://a.example/path'])('refuses %j as an origin', (origin) => {
    expect(problemsOf({ ...enough, CORS_ORIGINS: origin })).toHaveLength(1);
  });

  describe('of TLS to Temporal', () => {
    it('is on when it is asked for', () => {
      expect(readConfig({ ...enough, TEMPORAL_TLS: 'true' }).temporal.tls).toEqual({});
    });

    it('is on when an API key is given, unless it is switched off', () => {
      expect(readConfig({ ...enough, TEMPORAL_API_KEY: 'key' }).temporal.tls).toEqual({});
      expect(readConfig({ ...enough, TEMPORAL_API_KEY: 'key', TEMPORAL_TLS: 'false' }).temporal.tls).toBeUndefined();
    });

    it('reads the client certificate and its key from files', () => {
      const { tls } = readConfig({
        ...enough,
        TEMPORAL_TLS_CLIENT_CERT_PATH: thisFile,
        TEMPORAL_TLS_CLIENT_KEY_PATH: thisFile,
      }).temporal;

      expect(tls?.clientCertPair?.key.toString()).toContain('reads the client certificate');
    });

    it('names a certificate without its key, and a file that cannot be read', () => {
      expect(problemsOf({ ...enough, TEMPORAL_TLS_CLIENT_CERT_PATH: '/no/such/file' })).toEqual([
        'TEMPORAL_TLS_CLIENT_CERT_PATH must be a readable file, but is "/no/such/file"',
        'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH must be set together, but only one of them is',
      ]);
    });
  });
});
