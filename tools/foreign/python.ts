import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { installedOnce } from './installed.js';

const run = promisify(execFile);

/**
 * The folder of one version of a package from PyPI, with everything that it needs: the PYTHONPATH of `python3`.
 * Installed once into the user's cache with the Python of this machine.
 *
 * @throws Failure when there is no Python 3.10 or later with pip, or the package is unavailable
 */
export function findPythonPackage(name: string, version: string): Promise<string> {
  return installedOnce({
    name,
    version,
    needs: 'Python 3.10 or later with pip',
    // A plain folder of packages, because a virtual environment cannot be moved to its final name.
    install: (draft) =>
      run('python3', ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', draft, `${name}==${version}`]),
  });
}
