/** The shop's worker: does every job of the example over REST until it is stopped. */
import { hostname } from 'node:os';
import { pathToFileURL } from 'node:url';
import { workOnJobs } from '@perdure/client';
import { handlers } from './handlers.js';
import { shopFor, type Shop } from './settings.js';

/** Works on all job types until `signal` is aborted; resolves when the last job is done. */
export async function runWorker(
  shop: Shop,
  signal: AbortSignal,
  log: (line: string) => void = console.log,
): Promise<void> {
  const clientID = `shop-${hostname()}-${process.pid}`;
  await Promise.all(
    Object.entries(handlers).map(([taskType, handler]) =>
      workOnJobs({ ...shop, clientID, taskType, handler, log }, signal),
    ),
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  console.log(`Waiting for ${Object.keys(handlers).join(', ')}; Ctrl-C stops`);
  await runWorker(shopFor('executor'), stop.signal);
}
