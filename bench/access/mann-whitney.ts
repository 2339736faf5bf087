/** Whether two samples of times come from one distribution. */
import { median, quantile, rounded } from '../statistics.js';

export interface Comparison {
  samples: number;
  mediansMs: [number, number];
  medianDifferenceMs: number;
  /** Of the difference of the medians, 95 %, by bootstrap. */
  confidenceMs: [number, number];
  /** Mann-Whitney U, two-sided: the probability of a difference this large between equal distributions. */
  p: number;
  /** Above 0.5: the first takes longer more often than not. */
  probabilityFirstIsSlower: number;
}

const resamples = 1_000;

export function compareSamples(first: readonly number[], second: readonly number[]): Comparison {
  const differences = Array.from({ length: resamples }, () => median(resample(first)) - median(resample(second)));
  const { p, share } = mannWhitney(first, second);
  return {
    samples: first.length,
    mediansMs: [rounded(median(first)), rounded(median(second))],
    medianDifferenceMs: median(first) - median(second),
    confidenceMs: [rounded(quantile(differences, 0.025)), rounded(quantile(differences, 0.975))],
    p: rounded(p),
    probabilityFirstIsSlower: rounded(share),
  };
}

function resample(values: readonly number[]): number[] {
  return values.map(() => values[Math.floor(Math.random() * values.length)] as number);
}

/** With the normal approximation, which holds from some dozens of values on; times are fine enough to have no ties that matter. */
export function mannWhitney(first: readonly number[], second: readonly number[]): { p: number; share: number } {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ];
  all.sort((left, right) => left.value - right.value);
  const [n, m] = [first.length, second.length];
  const rankSum = all.reduce((sum, { isFirst }, index) => sum + (isFirst ? index + 1 : 0), 0);
  const u = rankSum - (n * (n + 1)) / 2;
  const z = (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return { p: 2 * (1 - normal(Math.abs(z))), share: u / (n * m) };
}

/** The distribution function of the normal distribution, to seven digits (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
