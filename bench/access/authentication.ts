/** `node dist/bench/access/authentication.js`: CPU of one authentication, all threads, when its token comes for the first time and when it has come before. */
import { createAuthenticator } from '../../api/access/authenticator.js';
import { readAccessConfiguration } from '../../api/access/settings/configuration.js';
import { createLogger } from '../../telemetry/logger.js';
import { startCountingIssuer } from './issuer.js';

const times = 5_000;

const issuer = await startCountingIssuer();
const { configuration } = readAccessConfiguration({ OIDC_ISSUER: issuer.url });
const authenticator = createAuthenticator(configuration!, createLogger('silent'));
const sign = async (number: number) =>
  `Bearer ${await issuer.sign({ jti: String(number), projects: [{ id: 'demo', roles: ['executor'] }] })}`;
const tokens: string[] = [];
for (let number = 0; number < 2 * times; number += 1) tokens.push(await sign(number));

await microseconds(tokens.slice(0, times));
const first = await microseconds(tokens.slice(times));
await microseconds(Array<string>(times).fill(tokens[0]!));
const repeated = await microseconds(Array<string>(times).fill(tokens[0]!));
process.stdout.write(
  `first ${first.toFixed(0)} us, repeated ${repeated.toFixed(1)} us, ${tokens[0]!.length} characters\n`,
);
await issuer.close();

async function microseconds(authorizations: readonly string[]): Promise<number> {
  const before = process.cpuUsage();
  for (const authorization of authorizations) {
    const { kind } = await authenticator.authenticate(authorization);
    if (kind !== 'accepted') throw new Error(`A token was ${kind}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / authorizations.length;
}
