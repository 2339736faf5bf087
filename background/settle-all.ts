/** Waits for all of them, also after one has failed. @throws the first failure */
export async function settleAll(works: readonly Promise<unknown>[]): Promise<void> {
  for (const ended of await Promise.allSettled(works)) if (ended.status === 'rejected') throw ended.reason;
}
