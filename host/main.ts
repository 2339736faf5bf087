/**
 * The host process. Configured through environment variables. It sends `{kind: 'ready', api, console}` to its parent
 * once it serves, and shuts down in order when it is asked to or its parent exits.
 */
import './utc.js';
import { join } from 'node:path';
import { errorMessage } from '@perdure/lib/error-message.js';
import { packageRoot } from './build-information.js';
import { readConfig } from './configuration/config.js';
import { runHost, type RunningHost } from './run.js';
import type { Settings } from './settings.js';

/** Longer than the workflow worker's own grace period. A shutdown that hangs beyond it is cut off. */
const STOP_WITHIN_MS = 25_000;

const stopping = new AbortController();
const asked = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(event, () => stopping.abort());

await main();

async function main(): Promise<void> {
  let host: RunningHost;
  try {
    host = await runHost(readSettings(), stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0);
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
  if (process.connected)
    process.send?.({ kind: 'ready', ...(host.api !== undefined && { api: host.api, console: `${host.api}/console` }) });
  await asked;
  await host.drain();
  setTimeout(() => cutOff(host), STOP_WITHIN_MS).unref();
  await host.stop();
  process.exit(0);
}

function cutOff(host: RunningHost): never {
  process.stderr.write(
    `Shutdown timed out after ${STOP_WITHIN_MS / 1000} s, still waiting for: ${host.closing()}. Another ` +
      `process retries the interrupted work.\n`,
  );
  process.exit(1);
}

/** @throws ConfigurationError naming every mistake at once */
function readSettings(): Settings {
  return {
    config: readConfig(process.env),
    workflowBundle: join(packageRoot, 'dist', 'workflow-bundle.js'),
    runnerBundle: join(packageRoot, 'dist', 'runner-bundle.js'),
    consoleFolder: join(packageRoot, 'dist', 'console'),
  };
}

function explain(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `The host cannot listen: ${error.message}. Set PORT or METRICS_PORT to a free port.`;
  return errorMessage(error);
}
