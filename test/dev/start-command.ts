import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledScript, repositoryRoot } from '../../dev/repository.js';
import { familyOf, killAll } from './processes.js';

export interface Ready {
  api: string;
  console: string;
  issuer: string;
  tokenEndpoint: string;
  temporal: string;
  temporalUi: string;
  postgres: string;
}

/** `npm start` as a user runs it, without npm. */
export class StartCommand {
  output = '';
  errors = '';
  private readonly exited: Promise<number | null>;

  private constructor(readonly process: ChildProcess) {
    process.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.exited = once(process, 'close').then(([code]) => code as number | null);
  }

  static run(
    environment: NodeJS.ProcessEnv,
    command = [process.execPath, compiledScript('dev/start.js')],
    folder = repositoryRoot,
  ): StartCommand {
    const [program = '', ...arguments_] = command;
    return new StartCommand(
      spawn(program, arguments_, {
        cwd: folder,
        env: { ...withoutOurs(process.env), PORT: '0', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** The READY line, once it is printed. */
  async ready(): Promise<Ready> {
    for (;;) {
      const line = /^READY (.*)$/m.exec(this.output)?.[1];
      if (line !== undefined) return JSON.parse(line) as Ready;
      const ended = await Promise.race([this.exited, once(this.process.stdout ?? this.process, 'data')]);
      if (!Array.isArray(ended)) throw new Error(`It ended with ${ended} instead of getting ready: ${this.errors}`);
    }
  }

  /** Everything it has running now. */
  family(): string[] {
    return familyOf(this.process.pid ?? 0);
  }

  /** Sends the signal and answers the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    return this.exited;
  }

  exitCode(): Promise<number | null> {
    return this.exited;
  }
}

/** A home that is gone after the test, with whatever a failed test has left running on it. */
export class TestHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'perdure-start-'));
  private readonly commands: StartCommand[] = [];

  start(environment: NodeJS.ProcessEnv = {}, command?: string[]): StartCommand {
    const started = StartCommand.run({ PERDURE_HOME: this.folder, ...environment }, command);
    this.commands.push(started);
    return started;
  }

  async remove(): Promise<void> {
    for (const command of this.commands) {
      killAll(command.family());
      await command.exitCode();
    }
    // A process that is about to end can still write to its log.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Variables of the shell that runs the tests are not passed to the tested host. */
function withoutOurs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = /^(PERDURE_|OIDC_|TEMPORAL_(?!CLI$)|npm_lifecycle_|DATABASE_URL$|PORT$|HOST$|LOG_LEVEL$|METRICS_PORT$)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ours.test(name)));
}
