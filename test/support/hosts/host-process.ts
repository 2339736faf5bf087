/** Host processes on the Postgres, Temporal and issuer of the tests. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { compiledScript } from '../../../dev/repository.js';
import { hostEnvironment } from './environment.js';

export interface HostProcess {
  child: ChildProcess;
  output(): string;
  ready: Promise<{ api?: string; console?: string }>;
  /** The exit code. */
  exited: Promise<number | null>;
}

/** @param environment with DATABASE_URL; whatever else it names goes before what the tests provide */
export async function startHostProcess(environment: NodeJS.ProcessEnv): Promise<HostProcess> {
  const child = spawn(process.execPath, [compiledScript('host/main.js')], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      ...(await hostEnvironment()),
      ...environment,
    },
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    child,
    output: () => output,
    ready: once(child, 'message').then(([message]) => message as { api?: string; console?: string }),
    exited: once(child, 'exit').then(([code]) => code as number | null),
  };
}
