/** Numbers about numbers. */

/** The value below which `share` of the sorted values lie; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Rounded for people: three significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
