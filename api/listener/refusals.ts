/** Reports of refused and cut off connections: a counter, and a log line now and then. */
import type { Logger } from 'pino';
import type { ApiMetrics } from '../../telemetry/metrics.js';

export type ListenerName = 'api' | 'hooks' | 'camunda7' | 'management' | 'codec';

/**
 * `total`, `address`, `network`: a new connection has no place. `requests`: neither has a request of an address behind a
 * trusted proxy. `slow_reader`, `no_progress`, `pipelining`: an open connection is cut off.
 */
export type RefusalReason = 'total' | 'address' | 'network' | 'requests' | 'slow_reader' | 'no_progress' | 'pipelining';

/** @param address of the client as far as it is known */
export type ReportRefusal = (reason: RefusalReason, address: string) => void;

const LINE_EVERY_MS = 10_000;

const advice: Readonly<Record<RefusalReason, string>> = {
  total: 'connection refused: the listener has no place left (MAX_CONNECTIONS, MAX_HOOK_CONNECTIONS)',
  address:
    'connection refused: too many from one address. If it is a proxy, add it to TRUSTED_PROXIES; otherwise see MAX_CONNECTIONS_PER_ADDRESS',
  network:
    'connection refused: too many from one /24 or /48. If these are proxies, add them to TRUSTED_PROXIES; otherwise see MAX_CONNECTIONS_PER_ADDRESS',
  requests: 'request refused: too many at once from one address behind a trusted proxy',
  slow_reader: 'connection cut off: the client reads its answer too slowly',
  no_progress: 'connection cut off: nothing read or written for too long',
  pipelining: 'connection cut off: too many requests without reading answers',
};

/** A flood must not fill the log, so each reason has one line in ten seconds, which counts the others. */
export function createRefusalReport(
  listener: ListenerName,
  { refusedConnections }: Pick<ApiMetrics, 'refusedConnections'>,
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): ReportRefusal {
  const lines = new Map<RefusalReason, { at: number; unlogged: number }>();
  return (reason, clientAddress) => {
    refusedConnections.inc({ listener, reason });
    const last = lines.get(reason);
    if (last !== undefined && now() - last.at < LINE_EVERY_MS) {
      last.unlogged += 1;
      return;
    }
    lines.set(reason, { at: now(), unlogged: 0 });
    const unlogged = last?.unlogged ?? 0;
    logger.warn({ event: 'refused', listener, reason, clientAddress, unlogged }, advice[reason]);
  };
}
