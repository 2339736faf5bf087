/**
 * The task to open after one has ended: the one below it, or the one above the last one.
 *
 * @param keys of the tasks in the order of the list
 * @returns undefined if the list does not have the task, or has no other
 */
export function nextTask(keys: readonly string[], ended: string): string | undefined {
  const index = keys.indexOf(ended);
  return index === -1 ? undefined : (keys[index + 1] ?? keys[index - 1]);
}
