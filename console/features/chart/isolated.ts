/** The indexes of values between gaps, which no line shows. */
export function isolatedValues(values: readonly (number | null)[]): number[] {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return values.flatMap((value, index) => (value !== null && isGap(index - 1) && isGap(index + 1) ? [index] : []));
}
