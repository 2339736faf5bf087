/**
 * `npm run proofs`: every proof of tools/test/proofs.ts at length, one after the other on one stack. `npm run proofs -- <name>`
 * plays the named ones at the length of their scripts. Its end has the time of each, what failed, and how many tests passed
 * and failed.
 */
import { errorMessage } from '@perdure/lib/error-message.js';
import { keycloakObstacle, prepareKeycloak } from '../dev/keycloak/distribution.js';
import { findTemporalExecutable } from '../dev/temporal/executable.js';
import { makeFolder } from './test/in-memory.js';
import { filesOf, lengthsOf, proofOf, proofs, type Proof } from './test/proofs.js';
import { report } from './test/report.js';
import { runTests, type Outcome } from './test/run.js';
import { runFailedAgain, type SecondRun } from './test/second-run.js';
import { stackOfRun } from './test/stack.js';

const names = process.argv.slice(2);
const areAllPlayed = names.length === 0;
const lengthsPlayed = (proof: Proof) => lengthsOf(proof, { areAllPlayed, environment: process.env });

report(await playAll().catch(cannotPlay));

async function playAll(): Promise<SecondRun> {
  const played = areAllPlayed ? proofs : names.map(proofOf);
  // Both can take minutes the first time on a machine, which must not count toward a test's timeout.
  await findTemporalExecutable();
  if (played.some(({ lengths }) => 'ACCESS_PROVIDERS' in lengths)) await ensureKeycloak();
  // On the disk: some proofs write gigabytes.
  const { url, stop } = await stackOfRun(makeFolder());
  try {
    const outcomes: Outcome[] = [];
    const times: string[] = [];
    for (const proof of played) {
      const start = performance.now();
      outcomes.push(await play(proof, url));
      times.push(`  ${proof.name.padEnd(18)}${String(Math.round((performance.now() - start) / 1000)).padStart(5)} s`);
    }
    process.stdout.write(`\nProofs\n${times.join('\n')}\n`);
    return await runFailedAgain(outcomes, (file) => playAlone(file, played, url));
  } finally {
    await stop();
  }
}

function play(proof: Proof, stack: string): Promise<Outcome> {
  const lengths = lengthsPlayed(proof);
  const told = Object.entries(lengths).map(([name, length]) => `${name}=${length}`);
  process.stdout.write(`Proof ${proof.name} (${told.join(' ')})\n`);
  const { workers } = proof;
  return runTests(filesOf(proof), { name: 'proofs', stack, environment: lengths, ...(workers && { workers }) });
}

function playAlone(file: string, played: readonly Proof[], stack: string): Promise<Outcome> {
  process.stdout.write(`Once more, alone: ${file}\n`);
  const lengths = played.filter((proof) => filesOf(proof).includes(file)).map(lengthsPlayed);
  return runTests([file], { name: 'alone', stack, workers: 1, environment: Object.assign({}, ...lengths) });
}

/** Everything else can be proven without it: its own tests are skipped, or fail with the same reason. */
async function ensureKeycloak(): Promise<void> {
  const obstacle = await keycloakObstacle();
  if (obstacle !== undefined) process.stdout.write(`Tests on Keycloak are skipped: ${obstacle}\n`);
  else await prepareKeycloak().catch((error: unknown) => process.stderr.write(`${errorMessage(error)}\n`));
}

function cannotPlay(error: unknown): SecondRun {
  return { outcomes: [{ passed: 0, failures: [{ line: errorMessage(error) }] }], passedAlone: [] };
}
