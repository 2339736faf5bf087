/** The parts that the commands for backtests share. */
import { setTimeout as delay } from 'node:timers/promises';
import { unwrap, type Schemas } from '@perdure/client';
import type { Host } from '../../host.js';

export type Backtest = Schemas['BpmnBacktest'];

export const exampleBacktest = '0f6d2c4e-6a0b-4f6e-8a53-1d9c7b2e5f10';

export const outcomes = ['same', 'otherPath', 'otherResult', 'incident', 'unanswered', 'skipped'] as const;
export type Outcome = (typeof outcomes)[number];

export const wordsOf: { readonly [Name in Outcome]: string } = {
  same: 'the same',
  otherPath: 'on another path',
  otherResult: 'with another result',
  incident: 'with an incident',
  unanswered: 'unanswered',
  skipped: 'skipped',
};

const BETWEEN_LOOKS_MS = 500;

export function readBacktest({ client, projectID }: Host, backtestID: string, signal: AbortSignal): Promise<Backtest> {
  const params = { path: { projectID, backtestID } };
  return unwrap<Backtest>(client.GET('/projects/{projectID}/bpmn/backtests/{backtestID}', { params, signal }));
}

/** @returns the backtest once it has ended */
export async function untilEnded(
  host: Host,
  backtestID: string,
  signal: AbortSignal,
  onProgress: (backtest: Backtest) => void,
): Promise<Backtest> {
  for (;;) {
    const backtest = await readBacktest(host, backtestID, signal);
    if (backtest.status !== 'RUNNING') return backtest;
    onProgress(backtest);
    await delay(BETWEEN_LOOKS_MS, undefined, { signal });
  }
}

/** `COMPLETED 1000 of 1000: 940 the same, 60 on another path` */
export function sumsOf({ status, done, total, counts }: Backtest): string {
  const parts = outcomes.filter((name) => counts[name] > 0).map((name) => `${counts[name]} ${wordsOf[name]}`);
  return `${status} ${done} of ${total}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

/** The key of the counts for the outcome of a group. */
export function countOf(outcome: Schemas['BpmnBacktestGroup']['outcome']): Outcome {
  return outcomes.find((name) => name.toUpperCase() === outcome.replace('_', ''))!;
}

/** `1m 20s → 2m 5s`: the median before and after. */
export function durationsOf({ durationBeforeMs, durationMs }: Schemas['BpmnBacktestGroup']): string {
  if (!durationBeforeMs) return '';
  const before = inWords(durationBeforeMs.p50);
  return durationMs ? `${before} → ${inWords(durationMs.p50)}` : `${before} → no end`;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

function inWords(milliseconds: number): string {
  const first = UNITS.findIndex(([, size]) => milliseconds >= size);
  if (first < 0) return `${Math.round(milliseconds)}ms`;
  const [unit, size] = UNITS[first]!;
  const smaller = UNITS[first + 1];
  const rest = smaller ? Math.floor((milliseconds % size) / smaller[1]) : 0;
  return `${Math.floor(milliseconds / size)}${unit}${rest > 0 ? ` ${rest}${smaller![0]}` : ''}`;
}
