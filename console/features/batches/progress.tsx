import type { Batch } from './batch-query.js';
import styles from './batches.module.css';

const words = [
  ['applied', 'done'],
  ['failedAgain', 'failed again'],
  ['rejected', 'rejected'],
  ['skipped', 'skipped'],
  ['canceled', 'canceled'],
  ['pending', 'pending'],
] as const;

/** The progress of a batch, with the outcomes so far. */
export function BatchProgress({ batch: { total, counts } }: { batch: Batch }) {
  return (
    <div className={styles.progress}>
      <progress
        aria-label="Processed items"
        max={Math.max(1, total)}
        value={total === 0 ? 1 : total - counts.pending}
      />
      <p role="status">{outcomesOf({ total, counts })}.</p>
    </div>
  );
}

/** `3 done, 1 skipped of 4`, without outcomes that have not occurred. */
export function outcomesOf({ total, counts }: Pick<Batch, 'total' | 'counts'>): string {
  const there = words
    .filter(([name]) => counts[name] > 0)
    .map(([name, word]) => `${counts[name].toLocaleString('en')} ${word}`);
  return `${there.join(', ') || 'nothing to do'} of ${total.toLocaleString('en')}`;
}
