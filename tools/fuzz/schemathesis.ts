import { findPythonPackage } from '../foreign/python.js';

/** How to run schemathesis: a Python and the folder with its packages. */
export interface Schemathesis {
  command: string;
  arguments: string[];
  environment: NodeJS.ProcessEnv;
}

/** @throws Failure when there is no Python 3.10 or later with pip, or the package is unavailable */
export async function findSchemathesis(): Promise<Schemathesis> {
  const folder = await findPythonPackage('schemathesis', '4.32.5');
  return {
    command: 'python3',
    arguments: ['-m', 'schemathesis.cli'],
    environment: { ...process.env, PYTHONPATH: folder },
  };
}
