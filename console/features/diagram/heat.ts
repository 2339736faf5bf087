/** The number of instances at a node, as one of four steps of a color scale up to the maximum at any node. */
const steps = [1, 2, 3, 4] as const;
export type HeatStep = (typeof steps)[number];

export interface HeatRange {
  step: HeatStep;
  from: number;
  to: number;
}

/**
 * The steps with their ranges of counts, in ascending order. Few instances give fewer steps, so that no range is empty.
 */
export function heatScale(most: number): HeatRange[] {
  const bounds = steps.map((step) => Math.ceil((most * step) / steps.length));
  return steps.flatMap((step, index) => {
    const from = (bounds[index - 1] ?? 0) + 1;
    return from > bounds[index]! ? [] : [{ step, from, to: bounds[index]! }];
  });
}

export function heatOf(count: number, scale: readonly HeatRange[]): HeatStep | undefined {
  return scale.find(({ from, to }) => count >= from && count <= to)?.step;
}
