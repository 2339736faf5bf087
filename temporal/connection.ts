/** The host's connection to Temporal. */
import { Client } from '@temporalio/client';
import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  type LogLevel as TemporalLogLevel,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { StoredPayloadCodec } from './stored-payload-codec.js';
import { ensureSearchAttributes } from './search-attributes.js';
import { EncryptionCodec } from './codec.js';
import type { KeyRing } from './key-ring.js';
import { connectWithRetry, type RetryOptions } from '@perdure/lib/network/connect-with-retry.js';
import type { Database } from '../store/sql/database.js';

/** How to connect to Temporal; `tls` has the shape that the connection of the Temporal SDK takes. */
export interface TemporalConfig {
  address: string;
  namespace: string;
  taskQueue: string;
  /** The worker deployment and build of this process; undefined outside of worker deployments. */
  deployment: WorkerDeploymentVersion | undefined;
  apiKey: string | undefined;
  tls: TemporalTls | undefined;
  /** Encrypt payloads in Temporal; undefined leaves them readable. */
  payloadKeys: KeyRing | undefined;
}

export interface TemporalTls {
  serverNameOverride?: string;
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
}

export interface TemporalLink {
  connection: NativeConnection;
  client: Client;
  /** Converts values to Temporal payloads, for every user of the connection. */
  dataConverter: DataConverter;
  /** Names of the search attributes that the namespace supports. */
  searchAttributes: ReadonlySet<string>;
}

/** Called once per process, before any connection. The host stops its parts itself, in its own order. */
export function installTemporalRuntime(logger: Logger): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => logOfTemporal(logger, level, message, meta)),
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } },
    shutdownSignals: [],
  });
}

/** Waits until Temporal responds and has registered Perdure's search attributes. */
export async function connectTemporal(
  config: TemporalConfig,
  store: Database,
  retry: RetryOptions & { logger: Logger },
): Promise<TemporalLink> {
  const { address, namespace, apiKey, tls, payloadKeys } = config;
  const connection = await connectWithRetry(
    `Temporal at ${address}`,
    () =>
      NativeConnection.connect({
        address,
        // Requests are a few kilobytes, and compressing them costs more CPU than sending them (ADR 99).
        grpcCompression: { codec: 'none' },
        ...(tls && { tls }),
        ...(apiKey !== undefined && { apiKey }),
      }),
    retry,
  );
  const searchAttributes = await connectWithRetry(
    `namespace ${namespace} of Temporal`,
    () => ensureSearchAttributes(connection, namespace, retry.logger),
    retry,
  );
  const dataConverter = dataConverterFor(store, payloadKeys);
  return { connection, client: new Client({ connection, namespace, dataConverter }), dataConverter, searchAttributes };
}

/** Converts values to Temporal payloads: encrypted with these keys, and by reference where they are large. */
export function dataConverterFor(store: Database, payloadKeys: KeyRing | undefined): DataConverter {
  return { payloadCodecs: [...(payloadKeys ? [new EncryptionCodec(payloadKeys)] : []), new StoredPayloadCodec(store)] };
}

/** A workflow task lasts as long as its commits linger (ADR 55), which needs no attention. */
const LONG_TASK = '[TMPRL1104]';

/** Writes a warning or an error of Temporal's SDK to the log of the host. */
export function logOfTemporal(
  logger: Logger,
  level: TemporalLogLevel,
  message: string,
  meta: Record<string | symbol, unknown> | undefined,
): void {
  const { workflowId, workflowType, activityType, attempt, error } = meta ?? {};
  const details = {
    workflowID: workflowId,
    workflowType,
    activityType,
    attempt,
    error: error instanceof Error ? error.message : undefined,
  };
  if (level === 'ERROR') logger.error(details, message);
  else if (message.startsWith(LONG_TASK)) logger.debug(details, message);
  else logger.warn(details, message);
}
