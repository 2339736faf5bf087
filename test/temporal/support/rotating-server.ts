import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/ports.js';
import { findTemporalExecutable } from '../../../dev/temporal/executable.js';
import { startTemporalServer } from '../../../dev/temporal/server.js';

export interface RotatingServer {
  address: string;
  stop(): Promise<void>;
}

/** A Temporal server that suggests a new run after `events` events, so that instances rotate all the time. */
export async function startRotatingServer(eventsPerRun: number): Promise<RotatingServer> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-rotating-'));
  const server = await startTemporalServer({
    executable: await findTemporalExecutable(),
    port: await freePort(),
    folder,
    dynamicConfiguration: { 'limit.historyCount.suggestContinueAsNew': eventsPerRun },
  });
  return {
    address: server.address,
    async stop() {
      await server.child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
