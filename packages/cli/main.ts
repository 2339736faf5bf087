#!/usr/bin/env node
/** The command `perdure`. */
import { run } from './run.js';

const stopping = new AbortController();
for (const event of ['SIGINT', 'SIGTERM'] as const) process.once(event, () => stopping.abort());
// A reader can close the output early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  write: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
  signal: stopping.signal,
});
