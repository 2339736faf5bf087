/** Effect of a flood of invalid tokens on a caller with a valid one: p99 of its requests without and with the flood. */
import { fork } from 'node:child_process';
import { compiledScript } from '../../dev/repository.js';
import { quantile, rounded } from '../statistics.js';
import type { FloodOrder, FloodReport } from './flood-process.js';
import type { CountingIssuer } from './issuer.js';
import { timed } from './timed.js';

export interface FloodFigures {
  /** Of the good caller, in milliseconds. */
  p50Ms: { quiet: number; meanwhile: number };
  p99Ms: { quiet: number; meanwhile: number; ratio: number };
  requests: { quiet: number; meanwhile: number };
  /** Responses to the valid caller during the flood, by status. */
  good: Record<string, number>;
  flood: FloodReport & { perSecond: number; seconds: number };
  keyFetches: number;
  /** One for each cooldown that has begun. */
  maxKeyFetches: number;
}

const cooldownSeconds = 10;
const pauseMilliseconds = 20;

/**
 * Quiet is half before the flood and half after it, so that what else the machine does falls on both.
 * @param seconds how long the flood lasts, and the quiet in all
 */
export async function measureFlood(
  api: string,
  issuer: CountingIssuer,
  perSecond: number,
  seconds: number,
): Promise<FloodFigures> {
  const url = `${api}/projects/demo/bpmn/instances?pageSize=1`;
  const token = await issuer.sign({ projects: [{ id: 'demo', roles: ['viewer'] }] });
  await ask(url, token, 3);
  const before = await ask(url, token, seconds / 2);
  const fetchesBefore = issuer.keyFetches();
  const [report, meanwhile] = await Promise.all([
    flood({ url, tokens: await badTokens(issuer), perSecond, seconds }),
    // Begins and ends within the flood.
    ask(url, token, seconds - 2),
  ]);
  const keyFetches = issuer.keyFetches() - fetchesBefore;
  const quiet = [...before.times, ...(await ask(url, token, seconds / 2)).times];
  const p99 = { quiet: quantile(quiet, 0.99), meanwhile: quantile(meanwhile.times, 0.99) };
  return {
    p50Ms: { quiet: rounded(quantile(quiet, 0.5)), meanwhile: rounded(quantile(meanwhile.times, 0.5)) },
    p99Ms: { quiet: rounded(p99.quiet), meanwhile: rounded(p99.meanwhile), ratio: rounded(p99.meanwhile / p99.quiet) },
    requests: { quiet: quiet.length, meanwhile: meanwhile.times.length },
    good: meanwhile.statuses,
    flood: { ...report, perSecond, seconds },
    keyFetches,
    maxKeyFetches: Math.ceil(seconds / cooldownSeconds) + 1,
  };
}

/** Of every sort: no token, another issuer, an invented key, a signature that does not fit, one that expired. */
async function badTokens(issuer: CountingIssuer): Promise<string[]> {
  const good = await issuer.sign({});
  const invented = await Promise.all(
    Array.from({ length: 50 }, (_, index) => issuer.sign({}, { kid: `invented-${index}` })),
  );
  const forged = Array.from(
    { length: 50 },
    (_, index) => `${good.slice(0, -10)}${String(index).padStart(8, 'A')}${good.slice(-2)}`,
  );
  return [
    ...invented,
    ...forged,
    'not-a-token',
    await issuer.sign({ iss: 'https://elsewhere.example' }),
    await issuer.sign({ exp: 1000 }),
  ];
}

/** One request after the other, with a pause between them. */
async function ask(
  url: string,
  token: string,
  seconds: number,
): Promise<{ times: number[]; statuses: Record<string, number> }> {
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const { status, milliseconds } = await timed(url, token);
    times.push(milliseconds);
    statuses[status] = (statuses[status] ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
  return { times, statuses };
}

function flood(order: FloodOrder): Promise<FloodReport> {
  const child = fork(compiledScript('bench/access/flood-process.js'));
  return new Promise((resolve, reject) => {
    child.once('message', (report) => {
      child.disconnect();
      resolve(report as FloodReport);
    });
    child.once('exit', (code) => reject(new Error(`The flood ended with exit code ${code} before it had reported`)));
    child.send(order);
  });
}
