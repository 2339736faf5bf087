/**
 * The process that is measured: the host as it is, with the workflow bundle of `BENCH_WORKFLOW_BUNDLE`. The environment is
 * the host's own; `BENCH_WORKFLOW_BUNDLE` names the bundle, `BENCH_LOOP_PORT` the port of the probe of its event loop.
 */
import '../host/utc.js';
import { join } from 'node:path';
import { packageRoot } from '../host/build-information.js';
import { readConfig } from '../host/configuration/config.js';
import { runHost } from '../host/run.js';
import { startLoopProbe } from './loop/probe.js';

const stopping = new AbortController();
for (const event of ['SIGTERM', 'disconnect'] as const) process.once(event, () => stopping.abort());

const host = await runHost(
  {
    config: readConfig(process.env),
    workflowBundle: process.env['BENCH_WORKFLOW_BUNDLE']!,
    runnerBundle: join(packageRoot, 'dist', 'runner-bundle.js'),
    consoleFolder: join(packageRoot, 'dist', 'console'),
  },
  stopping.signal,
);
const loopPort = process.env['BENCH_LOOP_PORT'];
if (loopPort !== undefined) await startLoopProbe(Number(loopPort));
process.send?.({ api: host.api });
await new Promise<void>((resolve) =>
  stopping.signal.aborted ? resolve() : stopping.signal.addEventListener('abort', () => resolve()),
);
await host.stop();
process.exit(0);
