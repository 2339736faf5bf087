/**
 * Shows which rights an access token gives and why: `npm run explain-token < token.txt`.
 *
 * Reads the token from standard input, so that no shell history or process list contains it, and the issuers from the
 * host's `OIDC_...` variables. Prints its interpretation, never the token. Exits with 0 when the host would accept the
 * token, with 1 when it would not, and with 2 when that cannot be determined.
 */
import { warnOnStandardError, withCurrentNames } from '../former-variables.js';
import { readConfiguredAccess, explainToken } from './explain-token/explain.js';
import { errorMessage } from '../../packages/lib/error-message.js';

async function main(): Promise<number> {
  const access = readConfiguredAccess(withCurrentNames(process.env, warnOnStandardError));
  if (process.stdin.isTTY) process.stderr.write('Paste the token, then press Enter and Ctrl-D.\n');
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const { lines, verdict } = await explainToken(Buffer.concat(chunks).toString('utf8'), access);
  process.stdout.write(`${lines.join('\n')}\n`);
  return { accepted: 0, refused: 1, unavailable: 2 }[verdict];
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 2;
}
