import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { processIdentity } from '../process-identity.mjs';
import { compiledScript } from '../repository.js';
import type { Program } from './program.js';

/** A child process that ends when we do. */
export interface Child {
  /** Settles when it has ended, whatever the reason. */
  readonly ended: Promise<Exit>;
  /** What it writes, unless that goes to a file. */
  readonly output: Readable | null;
  /** Hears what a Node program of ours sends. */
  onMessage(listener: (message: unknown) => void): void;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const live = new Set<Child>();
/** A program has its own patience, which its guard keeps. */
const stopWithinMilliseconds = 30_000;

/** Stops every child there is, all at the same time. */
export async function stopAllChildren(): Promise<void> {
  await Promise.all([...live].map((child) => child.stop()));
}

/** Ends every child at once. */
export function killAllChildren(): void {
  for (const child of live) child.kill();
}

/** Starts a program that is not ours, under a guard. What it writes goes to the log file, if there is one. */
export function startProgram(program: Program, options: { logFile?: string; environment?: NodeJS.ProcessEnv } = {}): Child {
  const guard = startModule('scripts/processes/guard.js', [JSON.stringify(program)], options.environment ?? process.env, options.logFile);
  return track(guard, {
    askToStop: () => guard.connected && guard.disconnect(),
    kill: () => guard.connected && guard.send('kill'),
  });
}

export interface NodeProgram {
  /** The compiled script, relative to `dist/`. It has to exit when its channel to the parent closes. */
  script: string;
  environment: NodeJS.ProcessEnv;
  pidFile: string;
  /** Where its output goes; our own standard error when there is none. */
  logFile?: string;
}

/** Starts a Node program of ours, with a channel that both sides may send messages through. */
export function startNode({ script, environment, pidFile, logFile }: NodeProgram): Child {
  mkdirSync(dirname(pidFile), { recursive: true });
  const child = startModule(script, [], environment, logFile ?? process.stderr.fd);
  if (child.pid !== undefined) writeFileSync(pidFile, processIdentity(child.pid) ?? '');
  return track(child, { askToStop: () => child.kill('SIGTERM'), kill: () => child.kill('SIGKILL') });
}

/** The last line that a program has written, which is where most say why they have given up. */
export function lastLogLine(logFile: string): string {
  if (!existsSync(logFile)) return '';
  const lines = readFileSync(logFile, 'utf8').split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? '';
}

function startModule(script: string, arguments_: string[], environment: NodeJS.ProcessEnv, output?: string | number): ChildProcess {
  const descriptor = typeof output === 'string' ? openLog(output) : output;
  const child = fork(compiledScript(script), arguments_, {
    env: environment,
    stdio: ['ignore', descriptor ?? 'ignore', descriptor ?? 'pipe', 'ipc'],
    // A process group of its own, so that a terminal's Ctrl-C reaches the supervisor only and things end in order.
    detached: true,
    execArgv: ['--enable-source-maps'],
  });
  if (typeof output === 'string' && descriptor !== undefined) closeSync(descriptor);
  return child;
}

function track(process_: ChildProcess, { askToStop, kill }: { askToStop: () => void; kill: () => void }): Child {
  const ended = new Promise<Exit>((resolve) => {
    // Not `close`, which never comes once we have closed the channel ourselves.
    process_.once('exit', (code, signal) => resolve({ code, signal }));
    process_.once('error', () => resolve({ code: 1, signal: null }));
  });
  const child: Child = {
    ended,
    output: process_.stderr,
    onMessage: (listener) => void process_.on('message', listener),
    async stop() {
      askToStop();
      const impatience = setTimeout(kill, stopWithinMilliseconds);
      await ended;
      clearTimeout(impatience);
    },
    kill,
  };
  live.add(child);
  void ended.then(() => live.delete(child));
  return child;
}

/** Opens a fresh log and keeps the one of the start before. */
function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}
