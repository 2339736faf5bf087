/** The lines that differ between two texts, as one block: all between the first and the last difference. */

export interface LineChanges {
  /** The number of the first line that differs, from 1. */
  line: number;
  removed: readonly string[];
  added: readonly string[];
}

/** Undefined if the texts are the same. */
export function lineChanges(before: string, after: string): LineChanges | undefined {
  if (before === after) return undefined;
  const [one, other] = [before.split('\n'), after.split('\n')];
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return {
    line: start + 1,
    removed: one.slice(start, one.length - end),
    added: other.slice(start, other.length - end),
  };
}
