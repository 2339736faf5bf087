import { join } from 'node:path';
import { Failure } from '@perdure/lib/failure.js';
import { endLeftover } from '../processes/leftovers.js';
import { startNode, type Child } from '../processes/child.js';
import { Supervised } from '../processes/supervised.js';
import { withProgress } from '../progress.mjs';

/** The message of the host when it serves; without the role `api` it has neither URL. */
export interface HostReady {
  kind: 'ready';
  api?: string;
  console?: string;
}

export interface RunningHost {
  supervised: Supervised;
  ready: HostReady;
}

/** Starts the host process and waits until it serves. */
export async function startHost(environment: NodeJS.ProcessEnv, folder: string): Promise<RunningHost> {
  let ready: HostReady = { kind: 'ready' };
  const supervised = await withProgress('Starting the host', () =>
    Supervised.start('The host', async () => {
      const child = await launch(environment, folder);
      ready = await untilReady(child);
      return child;
    }),
  );
  return { supervised, ready };
}

async function launch(environment: NodeJS.ProcessEnv, folder: string): Promise<Child> {
  const pidFile = join(folder, 'host.pid');
  await endLeftover(pidFile);
  // Times and texts in workflows must not depend on the machine.
  return startNode({ script: 'host/main.js', environment: { ...environment, TZ: 'UTC', LC_ALL: 'C.UTF-8' }, pidFile });
}

async function untilReady(child: Child): Promise<HostReady> {
  const said = new Promise<HostReady>((resolve) => {
    child.onMessage((message) => isReady(message) && resolve(message));
  });
  const ended = child.ended.then(({ code, signal }) => {
    throw new Failure(`The host ended before it was ready (${signal ?? `exit code ${code}`}). See its output above.`);
  });
  return Promise.race([said, ended]);
}

function isReady(message: unknown): message is HostReady {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'ready';
}
