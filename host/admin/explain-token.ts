/**
 * Shows which rights an access token gives and why: `npm run explain-token < token.txt`.
 *
 * Reads the token from standard input, so that no shell history or process list contains it, and the issuers from the
 * host's `OIDC_...` variables. Prints its interpretation, never the token.
 */
import { runCommand, type ExitCode } from './command.js';
import type { Explanation } from './explain-token/explain.js';

const exitCodes: Readonly<Record<Explanation['verdict'], ExitCode>> = { accepted: 0, refused: 1, unavailable: 2 };

await runCommand(
  {
    name: 'explain-token',
    summary: 'Reads an access token from standard input and shows what it allows and why.',
    synopsis: '< token.txt',
    flags: {},
    exitCodes: { 0: 'the host would accept the token', 1: 'the host would refuse it' },
  },
  explain,
);

async function explain(): Promise<ExitCode> {
  const { readConfiguredAccess } = await import('./explain-token/configured-access.js');
  const access = readConfiguredAccess(process.env);
  const { explainToken } = await import('./explain-token/explain.js');
  if (process.stdin.isTTY) process.stderr.write('Paste the token, then press Enter and Ctrl-D.\n');
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const { lines, verdict } = await explainToken(Buffer.concat(chunks).toString('utf8'), access);
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes[verdict];
}
