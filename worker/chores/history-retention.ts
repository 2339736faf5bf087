/** Removes history after its retention. Each kind has its own share of time, and projects are served in turn. */
import { newWalk, removeOldEntries, type AuditLimits } from '../../store/audit/retention.js';
import { removeOldEvents } from '../../store/events/feed.js';
import {
  deleteBehindRemoved,
  removeEndedInstances,
  removeOldBacktest,
  removeOldBatch,
  removeOldExecutions,
  type RemovedWithParts,
} from '../../store/retention/retention.js';
import { firstTurn, type ProjectTurn } from '../../store/turns/project-turns.js';
import { repeat, type Chore } from '../../background/chore.js';
import type { Database } from '../../store/sql/database.js';

export interface HistoryRetention {
  store: Database;
  /** How long history is kept in projects without a setting, in milliseconds; undefined keeps it indefinitely. */
  defaultMilliseconds: number | undefined;
  audit: AuditLimits;
  /** Receives the number of removed items. */
  onRemoved(kind: HistoryKind, count: number): void;
}

export type HistoryKind = 'instance' | 'decision_execution' | 'batch' | 'backtest' | 'audit_entry' | 'event';

const EVERY_MS = 10_000;
const AUDIT_EVERY_MS = 300_000;
/**
 * History is kept for this long after startup. An instance may have ended just as everything was stopped, with its rows
 * written but its workflow not yet notified; the workflow must complete first.
 */
const AFTER_MS = 60_000;

export function historyRetention(options: HistoryRetention): Chore[] {
  const { store, defaultMilliseconds } = options;
  return [
    {
      name: 'rows_of_removed_instances',
      every: EVERY_MS,
      after: AFTER_MS,
      run: (turn) => repeat(turn, () => deleteBehindRemoved(store)),
    },
    removing('ended_instances', 'instance', options, (projects) =>
      removeEndedInstances(store, defaultMilliseconds, projects),
    ),
    removing('decision_executions', 'decision_execution', options, (projects) =>
      removeOldExecutions(store, defaultMilliseconds, projects),
    ),
    removing('batches_completed', 'batch', options, (projects) => removeOldBatch(store, defaultMilliseconds, projects)),
    removing('backtests_completed', 'backtest', options, (projects) =>
      removeOldBacktest(store, defaultMilliseconds, projects),
    ),
    auditEntries(options),
    removing('events', 'event', options, (projects) => removeOldEvents(store, projects)),
  ];
}

/** Rarely: a walk reads all old entries, also those that timelines keep. */
function auditEntries({ store, audit, onRemoved }: HistoryRetention): Chore {
  const walk = newWalk();
  return {
    name: 'audit_entries',
    every: AUDIT_EVERY_MS,
    after: AFTER_MS,
    run: (turn) =>
      repeat(turn, async () => {
        const { removed, hasMore } = await removeOldEntries(store, audit, walk);
        if (removed > 0) onRemoved('audit_entry', removed);
        return hasMore;
      }),
  };
}

/** @param remove returns how many it has removed in the projects that were next; undefined if another process is removing */
function removing(
  name: string,
  kind: HistoryKind,
  { onRemoved }: HistoryRetention,
  remove: (projects: ProjectTurn) => Promise<number | RemovedWithParts | undefined>,
): Chore {
  const projects = firstTurn();
  return {
    name,
    every: EVERY_MS,
    after: AFTER_MS,
    async run(turn) {
      let busy = false;
      const result = await repeat(turn, async () => {
        const outcome = await remove(projects);
        busy = outcome === undefined;
        const { removed, hasMore } =
          typeof outcome === 'object' ? outcome : { removed: outcome ?? 0, hasMore: (outcome ?? 0) > 0 };
        if (removed > 0) onRemoved(kind, removed);
        return !busy && (hasMore || projects.after !== '');
      });
      return busy ? 'busy' : result;
    },
  };
}
