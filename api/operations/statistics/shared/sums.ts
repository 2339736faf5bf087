/** Sums as the API shows them. */
import type { Sums } from '../../../../store/statistics/rows.js';
import type { Sketch } from '../../../../store/statistics/sketch.js';

export function countsOf({ started, completed, canceled, failed, incidents }: Sums) {
  return { started, completed, canceled, failed, incidents };
}

export function percentilesOf({ durations }: Sums) {
  return { p50Ms: durations.quantile(0.5), p95Ms: durations.quantile(0.95), p99Ms: durations.quantile(0.99) };
}

export function spreadOf(durations: Sketch): { p50Ms: number; p95Ms: number; p99Ms: number } | undefined {
  const p50Ms = durations.quantile(0.5);
  const p95Ms = durations.quantile(0.95);
  const p99Ms = durations.quantile(0.99);
  return p50Ms === undefined || p95Ms === undefined || p99Ms === undefined ? undefined : { p50Ms, p95Ms, p99Ms };
}
