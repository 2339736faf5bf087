/** A host in two commands, as fleets run it: one with the API and its servers, one with the worker. */
import { expect } from 'vitest';
import { killAll, survivors, untilGone } from '../../dev/processes.js';
import { TestHome, type Ready, type StartCommand } from '../../dev/start-command.js';

export interface Fleet {
  /** Stays the same over every crash. */
  readonly ready: Ready;
  /** Kills the command of the worker with all it has started, and starts it again. */
  crashWorker(): Promise<void>;
  /** Kills the process of the API, which its command starts again; its servers keep running. */
  crashApi(): Promise<void>;
  /** Kills every process there is, Postgres and Temporal too, and starts both commands again. */
  crashEverything(): Promise<void>;
  remove(): Promise<void>;
}

export async function startFleet(): Promise<Fleet> {
  const homes = { api: new TestHome(), worker: new TestHome() };
  const startApi = () => homes.api.start({ PERDURE_ROLES: 'api', LOG_LEVEL: 'warn' });
  const startWorker = ({ postgres, temporal }: Ready) =>
    homes.worker.start({
      PERDURE_ROLES: 'worker',
      LOG_LEVEL: 'warn',
      DATABASE_URL: postgres,
      TEMPORAL_ADDRESS: temporal,
    });
  let api = startApi();
  const ready = await api.ready();
  let worker = startWorker(ready);
  await worker.ready();

  return {
    ready,
    async crashWorker() {
      await crash(worker.family());
      worker = startWorker(ready);
      await worker.ready();
    },
    async crashApi() {
      await crash([hostProcessOf(api)]);
    },
    async crashEverything() {
      await crash([...api.family(), ...worker.family()]);
      api = startApi();
      // It waits for its servers, which get the same ports again.
      worker = startWorker(ready);
      expect(await api.ready()).toEqual(ready);
      await worker.ready();
    },
    async remove() {
      await homes.worker.remove();
      await homes.api.remove();
    },
  };
}

async function crash(family: string[]): Promise<void> {
  killAll(family);
  await untilGone(family);
}

function hostProcessOf(command: StartCommand): string {
  const host = command.family().find((identity) => survivors([identity])[0]?.includes('/host/main.js'));
  return host ?? expect.fail('The command runs no host process');
}
