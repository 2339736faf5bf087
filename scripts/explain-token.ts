/**
 * Tells what an access token would be allowed and why not: `npm run explain-token < token.txt`.
 *
 * Reads the token from standard input, so that no shell history or process list holds it, and the issuers from the
 * `OIDC_...` variables of the host. Prints what was understood, never the token. Ends with 0 when the host would
 * accept the token, with 1 when it would not, with 2 when that cannot be told.
 */
import { readConfiguredAccess, explainToken } from './explain-token/explain.js';
import { describe } from './failure.js';

async function main(): Promise<number> {
  const access = readConfiguredAccess(process.env);
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
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 2;
}
