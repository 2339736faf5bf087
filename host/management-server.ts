/**
 * The management server of a host, on its own port for every role: `/metrics` in the Prometheus text format, `/health`
 * while the process is alive, and `/ready` once the host has started and no dependency is missing. Problems that do not
 * keep the process from its work are `warnings`, and change no status.
 */
import { Hono } from 'hono';
import type { Registry } from 'prom-client';
import { findAllMissing } from '../api/http/readiness.js';
import type { ReadinessCheck } from '../api/contract/readiness.js';
import { managementLimits } from '../api/listener/limits.js';
import type { ListenerOptions } from '../api/listener/listener.js';
import { openHttpServer, type HttpServer } from './http-server.js';

export interface ManagementServer extends HttpServer {
  /** Before this call, the host is not ready. */
  declareStarted(readiness: readonly ReadinessCheck[], warnings?: readonly ReadinessCheck[]): void;
}

/** @throws when the port is in use */
export async function openManagementServer(registry: Registry, options: ListenerOptions): Promise<ManagementServer> {
  let readiness: readonly ReadinessCheck[] | undefined;
  let warnings: readonly ReadinessCheck[] = [];
  const app = new Hono()
    .get('/metrics', async (context) =>
      context.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
    )
    .get('/health', (context) => context.json({ status: 'live' }))
    .get('/ready', async (context) => {
      const missing = readiness ? await findAllMissing(readiness) : [{ name: 'host', message: 'The host is starting' }];
      const found = await findAllMissing(warnings);
      const warned = found.length === 0 ? {} : { warnings: found };
      return missing.length === 0
        ? context.json({ status: 'ready', ...warned })
        : context.json({ status: 'not ready', missing, ...warned }, 503);
    });
  const server = await openHttpServer(app, { limits: managementLimits, ...options });
  return {
    ...server,
    declareStarted(checks, warningChecks = []) {
      readiness = checks;
      warnings = warningChecks;
    },
  };
}
