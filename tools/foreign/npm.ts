import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedOnce } from './installed.js';

const run = promisify(execFile);

/**
 * The folder of one version of a package of npm, with everything that it needs. Installed once into the user's cache,
 * because a package of one proof is not a dependency of the repository.
 *
 * @throws Failure when there is no npm, or the package is unavailable
 */
export async function findNpmPackage(name: string, version: string): Promise<string> {
  const folder = await installedOnce({
    name,
    version,
    needs: 'npm',
    install: (draft) =>
      run('npm', ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`]),
  });
  return join(folder, 'node_modules', name);
}
