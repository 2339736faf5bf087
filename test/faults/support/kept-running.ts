/** Programs that are started again whenever they end, as a cluster does it with its containers. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface KeptRunning {
  /** Ends it at once; it is started again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Long enough that a program that cannot start does not take the processor. */
const PAUSE_MS = 500;
const OUTPUT_LENGTH = 4_000;

export interface Program {
  readonly command: readonly [program: string, ...given: string[]];
  readonly environment: NodeJS.ProcessEnv;
}

/** @param onExit told when it ends unasked, with the end of its output */
export function keepRunning({ command, environment }: Program, onExit: (output: string) => void): KeptRunning {
  const [program, ...given] = command;
  let child: ChildProcess | undefined;
  let isAsked = false;
  const stopping = new AbortController();

  async function runOnce(): Promise<void> {
    isAsked = false;
    child = spawn(program, given, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-OUTPUT_LENGTH)));
    await once(child, 'exit');
    child = undefined;
    if (!isAsked) onExit(output);
  }
  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runOnce();
      await delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const kept = keep();

  async function kill(): Promise<void> {
    if (!child) return;
    const exited = once(child, 'exit');
    isAsked = true;
    child.kill('SIGKILL');
    await exited;
  }
  return {
    kill,
    async stop() {
      stopping.abort();
      await kill();
      await kept;
    },
  };
}
