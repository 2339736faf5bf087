/** Protection of the host's connections to other machines. */
import pg from 'pg';
import { isLoopback } from '@perdure/lib/trust/trustworthy-url.js';
import type { Environment, Role } from '@perdure/configuration/variable.js';
import type { AccessConfiguration } from '../../api/access/settings/configuration.js';
import type { OutboundConfiguration } from '../../outbound/configuration.js';
import type { TemporalConfig } from '../../temporal/connection.js';

/** The part of the configuration that names other machines. */
interface Destinations {
  readonly roles: ReadonlySet<Role>;
  readonly access: AccessConfiguration | undefined;
  readonly outbound: OutboundConfiguration;
  readonly temporal: TemporalConfig;
  readonly databaseUrl: string;
}

/** One mistake for each role: without checks of certificates, TLS protects nothing that leaves this machine. */
export function problemsOfTransport(config: Destinations, environment: Environment): string[] {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  const [first] = namesOutside(config, environment);
  if (first === undefined) return [];
  return [
    `NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone impersonate ${first}. Unset it, and set NODE_EXTRA_CA_CERTS to the certificate of a private authority.`,
  ];
}

/** Whom this process may connect to, unless they are on this machine. */
function namesOutside(config: Destinations, environment: Environment): string[] {
  const { access, outbound, roles, temporal, databaseUrl } = config;
  const issuers = (access?.issuers ?? []).flatMap(({ issuer, jwksURI }) => [issuer, ...(jwksURI ? [jwksURI] : [])]);
  const collector = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return [
    ...issuers.filter((url) => !isLoopback(new URL(url).hostname)).map((url) => `the issuer ${url}`),
    ...(roles.has('connectors') ? outbound.egress : [])
      .filter(({ host, isWildcard }) => isWildcard || !isLoopback(host))
      .map(({ host }) => `${host}, to which HTTP tasks send secrets`),
    ...(isLocal(postgresOf(databaseUrl).host) ? [] : ['Postgres']),
    ...(isLocal(hostOfAddress(temporal.address)) ? [] : ['Temporal']),
    ...(collector && URL.canParse(collector) && !isLoopback(new URL(collector).hostname) ? ['the collector'] : []),
  ];
}

export interface PlainConnection {
  readonly connection: 'Postgres' | 'Temporal';
  readonly host: string;
  readonly advice: string;
}

/** Connections beyond this machine that others on the network can read, or answer instead of the server. */
export function plainConnections({ databaseUrl, temporal }: Destinations): PlainConnection[] {
  const postgres = postgresOf(databaseUrl);
  const temporalHost = hostOfAddress(temporal.address);
  return [
    ...(isLocal(postgres.host) || postgres.isVerified
      ? []
      : [
          {
            connection: 'Postgres',
            host: postgres.host,
            advice: 'Add sslmode=verify-full to DATABASE_URL, or keep its network private.',
          } as const,
        ]),
    ...(isLocal(temporalHost) || temporal.tls !== undefined
      ? []
      : [
          {
            connection: 'Temporal',
            host: temporalHost,
            advice: 'Set TEMPORAL_TLS=true, or keep its network private.',
          } as const,
        ]),
  ];
}

/** As the driver reads it, with its own variables such as `PGSSLMODE`. */
function postgresOf(databaseUrl: string): { host: string; isVerified: boolean } {
  const { host, ssl } = new pg.Client({ connectionString: databaseUrl }) as { host: string; ssl: unknown };
  const isUnchecked = (ssl as { rejectUnauthorized?: unknown } | null)?.rejectUnauthorized === false;
  return { host, isVerified: Boolean(ssl) && !isUnchecked };
}

function hostOfAddress(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/** Also the folder of a Unix socket. */
function isLocal(host: string): boolean {
  return host.startsWith('/') || host === '::1' || isLoopback(host);
}
