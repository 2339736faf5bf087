/**
 * The development issuer as a separate process. It serves this machine only.
 *
 * Variables: ISSUER_PORT; ISSUER_HOST (default 127.0.0.1, rejected unless loopback); ISSUER_FOLDER for its accounts and
 * its key; ISSUER_ADMINISTRATION_SECRET; OIDC_AUDIENCE (default perdure). Sends `{kind: 'ready', issuer}` to its parent
 * once it serves, and exits when its parent does.
 */
import './runtime-notice.js';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Accounts } from './accounts.js';
import { administration } from './administration.js';
import { loadSigningKey } from './keys.js';
import { login } from './login.js';
import { isLoopbackHost } from './loopback.js';
import { createProvider } from './provider.js';

process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));

const {
  ISSUER_HOST: host = '127.0.0.1',
  ISSUER_PORT: port = '',
  ISSUER_FOLDER: folder = '',
  ISSUER_ADMINISTRATION_SECRET: secret = '',
} = process.env;
if (!isLoopbackHost(host))
  refuse(
    'The development issuer must listen on a loopback address, because its passwords are public, but ' +
      `ISSUER_HOST is ${host}`,
  );
if (!port || !folder || !secret)
  refuse('The development issuer needs ISSUER_PORT, ISSUER_FOLDER and ISSUER_ADMINISTRATION_SECRET.');

mkdirSync(folder, { recursive: true, mode: 0o700 });
const issuer = `http://${host}:${port}`;
const accounts = new Accounts(join(folder, 'accounts.json'));
const provider = createProvider({
  issuer,
  audience: process.env['OIDC_AUDIENCE'] || 'perdure',
  signingKey: await loadSigningKey(join(folder, 'signing-key.json')),
  accounts,
});
provider.on('server_error', (_context, error) => console.error(error));

// A remote page could resolve its own name to this address and reach the issuer through a local browser (DNS
// rebinding).
provider.use((context, next) => (isLoopbackHost(context.hostname) ? next() : context.throw(421)));
provider.use(administration(accounts, secret));
provider.use(login(provider, accounts));

const server = createServer(provider.callback());
server.on('error', (error) => refuse(`The development issuer cannot listen on ${host}:${port}: ${error.message}`));
// As long as the API: a client that is short of CPU time would send its next request while an idle connection is closed.
server.keepAliveTimeout = 65_000;
server.listen(Number(port), host, () => process.send?.({ kind: 'ready', issuer }));

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
