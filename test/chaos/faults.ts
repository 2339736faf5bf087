/** Faults of the topology, chosen by a seeded random generator. Every fault has healed when it resolves. */
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../engine/random/random.js';
import type { Trouble } from './proxy.js';
import { processOf, type World } from './world.js';

export interface Fault {
  /** `kill worker-2` */
  name: string;
  happen(): Promise<void>;
}

/** A fault that has happened; epoch milliseconds. */
export interface Happened {
  name: string;
  began: number;
  healed: number;
}

const BETWEEN_LOOKS_MS = 200;

type Kind = (world: World, random: Random) => Fault;

const kill: Kind = ({ parts }, random) => {
  const part = random.pick(parts);
  return {
    name: `kill ${part.name}`,
    async happen() {
      const pid = processOf(part);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
  };
};

/** The danger is a process that holds a lease and wakes up late. */
const freeze: Kind = ({ parts }, random) => {
  const part = random.pick(parts);
  const seconds = 1 + random.below(20);
  return {
    name: `freeze ${part.name} for ${seconds} s`,
    async happen() {
      const pid = processOf(part);
      if (pid === undefined) return;
      const family = [pid, ...childrenOf(pid)];
      signalAll(family, 'SIGSTOP');
      await pause(seconds * 1000);
      signalAll(family, 'SIGCONT');
    },
  };
};

const disturb: Kind = ({ ways }, random) => {
  const { name, proxy } = random.pick(ways);
  const trouble = troubleOf(random);
  const seconds = 1 + random.below(12);
  return {
    name: `${name}: ${trouble.kind} for ${seconds} s`,
    async happen() {
      proxy.afflict(trouble);
      await pause(seconds * 1000);
      proxy.afflict(undefined);
    },
  };
};

/** Every connection breaks at once, with whatever is in flight on it. */
const disconnectAll: Kind = ({ topology }) => ({
  name: 'end all connections to postgres',
  async happen() {
    const client = new pg.Client({ connectionString: topology.postgres.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
      );
    } catch {
      // Postgres is down: there are no connections.
    } finally {
      await client.end().catch(() => undefined);
    }
  },
});

/** As an upgrade does it: each is asked to stop, ends what it has begun, and is replaced before the next one stops. */
const restart: Kind = ({ topology: { apis, workers } }, random) => {
  const hosts = random.pick([apis, workers]);
  return {
    name: `rolling restart of ${hosts.map(({ part }) => part.name).join(', ')}`,
    async happen() {
      for (const { part, metrics } of hosts) {
        const before = await untilThere(() => processOf(part));
        signalAll([before], 'SIGTERM');
        await untilThere(() => (processOf(part) === before ? undefined : processOf(part)));
        await untilThere(() =>
          fetch(metrics).then(
            ({ ok }) => ok || undefined,
            () => undefined,
          ),
        );
      }
    },
  };
};

const kinds: readonly Kind[] = [
  kill,
  kill,
  kill,
  freeze,
  freeze,
  disturb,
  disturb,
  disturb,
  disturb,
  disconnectAll,
  restart,
];

export function chooseFault(world: World, random: Random): Fault {
  return random.pick(kinds)(world, random);
}

async function untilThere<Found>(look: () => Found | undefined | Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(BETWEEN_LOOKS_MS);
  }
}

function troubleOf(random: Random): Trouble {
  switch (random.pick(['cut', 'slow', 'stalled', 'unanswered', 'unanswered'] as const)) {
    case 'slow':
      return { kind: 'slow', milliseconds: 20 + random.below(1500) };
    case 'cut':
      return { kind: 'cut' };
    case 'stalled':
      return { kind: 'stalled' };
    case 'unanswered':
      return { kind: 'unanswered' };
  }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended in the meantime.
    }
  }
}
