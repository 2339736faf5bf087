import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { processIdentity } from '../process-identity.mjs';
import { compiledScript } from '../repository.js';
import type { Program } from './program.js';

/** A child process that ends when we do. */
export interface Child {
  /** Settles when it has ended, whatever the reason. */
  readonly ended: Promise<Exit>;
  readonly messages: NodeJS.EventEmitter;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Starts a program that is not ours, under a guard. What it writes goes to the log file. */
export function startProgram(program: Program, logFile: string): Child {
  const log = openLog(logFile);
  const guard = fork(compiledScript('scripts/processes/guard.js'), [JSON.stringify(program)], {
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
    execArgv: [],
  });
  closeSync(log);
  return childOf(guard, () => guard.connected && guard.disconnect());
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
export function startNode(program: NodeProgram): Child {
  const output = program.logFile === undefined ? process.stderr.fd : openLog(program.logFile);
  const child = fork(compiledScript(program.script), [], {
    env: program.environment,
    stdio: ['ignore', output, output, 'ipc'],
    // A process group of its own, so that a terminal's Ctrl-C reaches the supervisor only and things end in order.
    detached: true,
    execArgv: ['--enable-source-maps'],
  });
  if (program.logFile !== undefined) closeSync(output);
  if (child.pid !== undefined) writeFileSync(program.pidFile, processIdentity(child.pid) ?? '');
  return childOf(child, () => child.kill('SIGTERM'));
}

/** The last line that a program has written, which is where most say why they have given up. */
export function lastLogLine(logFile: string): string {
  if (!existsSync(logFile)) return '';
  const lines = readFileSync(logFile, 'utf8').split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? '';
}

function childOf(child: ChildProcess, askToStop: () => void): Child {
  const ended = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 1, signal: null }));
  });
  return {
    ended,
    messages: child,
    async stop() {
      askToStop();
      await ended;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** Opens a fresh log and keeps the one of the start before. */
function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}
