/** Circles of imports, by Tarjan's algorithm for strongly connected components. */
import type { Import } from './imports.js';

/**
 * Groups of files that import each other in a circle, each group sorted.
 * @param types whether imports of types count
 */
export function cyclesOf(imports: readonly Import[], { types = false } = {}): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to, isType } of imports)
    if (types || !isType) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) cycles.push(group.sort());
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
