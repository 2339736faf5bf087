/** `node dist/bench/access/authentication.js`: CPU of one authentication, all threads, by algorithm. */
import { createAuthenticator } from '../../api/access/authenticator.js';
import { readAccessConfiguration } from '../../api/access/settings/configuration.js';
import { createLogger } from '../../telemetry/logger.js';
import { startCountingIssuer } from './issuer.js';

const TIMES = 5_000;
const ROUNDS = 5;

for (const algorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
  const issuer = await startCountingIssuer(algorithm);
  const { configuration } = readAccessConfiguration({ OIDC_ISSUER: issuer.url });
  const { authenticate } = createAuthenticator(configuration!, createLogger('silent'));
  const authorization = `Bearer ${await issuer.sign({ projects: [{ id: 'demo', roles: ['executor'] }] })}`;
  const rounds: number[] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await microseconds(authenticate, authorization));
  const [least, , median, , most] = rounds.slice(1).sort((one, other) => one - other) as [number, ...number[]];
  process.stdout.write(
    `${algorithm}: ${median!.toFixed(0)} us (${least.toFixed(0)} to ${most!.toFixed(0)}), ${authorization.length} characters\n`,
  );
  await issuer.close();
}

async function microseconds(
  authenticate: (authorization: string) => Promise<{ kind: string }>,
  authorization: string,
): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < TIMES; time += 1) {
    const { kind } = await authenticate(authorization);
    if (kind !== 'accepted') throw new Error(`A token was ${kind}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TIMES;
}
