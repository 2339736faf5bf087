import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compiledScript } from '../../dev/repository.js';
import type { Topology } from '../../dev/topology/start.js';

export interface Neighbor {
  /** Ends it; it prints the responses that it got. */
  stop(): Promise<void>;
}

/** Starts `neighbor.ts` as a process against the APIs of the topology. */
export function startNeighbor({ apis, issuer }: Topology): Neighbor {
  const child = fork(
    compiledScript('bench/soak/neighbor.js'),
    apis.map(({ url }) => url),
    { env: { ...process.env, NEIGHBOR_TOKENS: issuer.tokenEndpoint } },
  );
  const exited = once(child, 'exit');
  return {
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}
