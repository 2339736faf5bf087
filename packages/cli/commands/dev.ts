import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exitCodes, type Command } from '../command.js';
import { WrongUse } from '../wrong-use.js';

/** The package that has the host and the services around it. It is large, so the command line does not depend on it. */
const devPackage = '@perdure/dev';

export const dev: Command = {
  name: 'dev',
  operands: '',
  summary: 'Start a host with everything it needs, for development',
  details:
    `Needs the package ${devPackage}. Starts Postgres, a Temporal server, an OpenID provider with test accounts, and the ` +
    'host. Data, passwords, and ports are kept in .perdure. Other commands in this folder find the host. A service that ' +
    'DATABASE_URL, TEMPORAL_ADDRESS, or OIDC_ISSUER names is not started. Ctrl-C stops everything.',
  minOperands: 0,
  maxOperands: 0,
  options: {},
  examples: ['perdure dev'],
  async run({ folder, environment }) {
    const start = findStart(folder);
    // It reads the environment of the process, and ends the process when everything has stopped.
    process.env['PERDURE_HOME'] ??= environment['PERDURE_HOME'] ?? join(folder, '.perdure');
    await import(pathToFileURL(start).href);
    await new Promise<never>(() => undefined);
    return exitCodes.done;
  },
};

function findStart(folder: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(`${devPackage}/start.js`);
  } catch {
    throw new WrongUse(
      `perdure dev needs the package ${devPackage}, which is not installed in ${folder}. Run npm install --save-dev ` +
        `${devPackage} there. In a checkout of Perdure, run npm start.`,
    );
  }
}
