import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Failure } from '@perdure/lib/failure.js';
import { withProgress } from '../progress.mjs';
import { compiledScript } from '../repository.js';
import { cachedExecutable } from './build.js';

const patienceMilliseconds = 180_000;

/**
 * Lets the Temporal SDK download the server into the cache, in a separate process: the SDK's native part can neither be
 * interrupted nor kept from writing to the terminal.
 *
 * @throws Failure when its site is unreachable, or the download takes longer than three minutes
 */
export async function downloadExecutable(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  await withProgress('Downloading the Temporal server (once, about 100 MB)', () => download(environment));
  const executable = cachedExecutable(environment);
  if (!existsSync(executable)) throw new Failure('the download produced no file');
  return executable;
}

function download(environment: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(compiledScript('dev/temporal/download-process.js'), [], {
      env: environment,
      execArgv: [],
      stdio: 'ignore',
      timeout: patienceMilliseconds,
    });
    let reason: string | undefined;
    child.on('message', (message) => (reason = String(message)));
    child.on('error', reject);
    // Not `exit`, which can come before the last message.
    child.on('close', (code, signal) => {
      if (code === 0 && reason === undefined) resolve();
      else
        reject(
          new Failure(
            reason ?? (signal === null ? `the download ended with exit code ${code}` : 'the download timed out'),
          ),
        );
    });
  });
}
