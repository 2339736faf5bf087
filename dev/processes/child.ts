import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { processIdentity } from '../process-identity.mjs';
import { compiledScript } from '../repository.js';
import type { Program } from './program.js';
import { nodeFlags } from './node-flags.js';

/** A child process that ends with this process. */
export interface Child {
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<Exit>;
  /** The output of the process, unless it goes to a file. */
  readonly output: Readable | null;
  /** Receives the messages of a Node child. */
  onMessage(listener: (message: unknown) => void): void;
  /** Asks the process to stop, and waits until it has. */
  stop(): Promise<void>;
  /** Kills the process immediately. */
  kill(): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const live = new Set<Child>();
/** The guard of a program enforces the program's own limit. */
const stopWithinMilliseconds = 30_000;

/** Stops all children in parallel, also those that start in the meantime. */
export async function stopAllChildren(): Promise<void> {
  while (live.size > 0) await Promise.all([...live].map((child) => child.stop()));
}

/** Kills all children immediately. */
export function killAllChildren(): void {
  for (const child of live) child.kill();
}

/** Starts an external program under a guard. Its output goes to the log file, if there is one. */
export function startProgram(
  program: Program,
  options: { logFile?: string; environment?: NodeJS.ProcessEnv } = {},
): Child {
  const guard = startModule(
    'dev/processes/guard.js',
    [JSON.stringify(program)],
    options.environment ?? process.env,
    options.logFile,
  );
  return track(guard, {
    askToStop: () => guard.connected && guard.disconnect(),
    kill: () => guard.connected && guard.send('kill'),
  });
}

export interface NodeProgram {
  /** The compiled script, relative to `dist/`. It must exit when the channel to its parent closes. */
  script: string;
  environment: NodeJS.ProcessEnv;
  pidFile: string;
  /** Where its output goes (default: this process's standard error). */
  logFile?: string;
}

/** Starts one of Perdure's Node scripts, with a two-way message channel. */
export function startNode({ script, environment, pidFile, logFile }: NodeProgram): Child {
  mkdirSync(dirname(pidFile), { recursive: true });
  const child = startModule(script, [], environment, logFile ?? process.stderr.fd);
  if (child.pid !== undefined) writeFileSync(pidFile, processIdentity(child.pid) ?? '');
  return track(child, { askToStop: () => child.kill('SIGTERM'), kill: () => child.kill('SIGKILL') });
}

/** The last line that a program wrote, where most programs explain why they exited. */
export function lastLogLine(logFile: string): string {
  if (!existsSync(logFile)) return '';
  const lines = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? '';
}

function startModule(
  script: string,
  arguments_: string[],
  environment: NodeJS.ProcessEnv,
  output?: string | number,
): ChildProcess {
  const descriptor = typeof output === 'string' ? openLog(output) : output;
  const child = fork(compiledScript(script), arguments_, {
    env: environment,
    stdio: ['ignore', descriptor ?? 'ignore', descriptor ?? 'pipe', 'ipc'],
    // A separate process group, so that Ctrl-C in a terminal reaches only the supervisor and everything stops in order.
    detached: true,
    execArgv: nodeFlags,
  });
  if (typeof output === 'string' && descriptor !== undefined) closeSync(descriptor);
  return child;
}

function track(process_: ChildProcess, { askToStop, kill }: { askToStop: () => void; kill: () => void }): Child {
  const ended = new Promise<Exit>((resolve) => {
    // Not `close`, which never fires once this side has closed the channel.
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

/** Opens a new log and keeps the previous one. */
function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}
