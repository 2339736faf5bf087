import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classes } from '../basics/classes.js';
import { Icon } from '../basics/icon.js';
import type { IconName } from '../basics/icon.js';

export type Tone = 'blue' | 'green' | 'red' | 'amber' | 'grey' | 'accent';

/** A word with a shape and a color, each of which is sufficient alone. */
export function Badge({
  tone,
  icon,
  title,
  children,
}: {
  tone: Tone;
  icon?: IconName;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={classes(styles.badge, styles[tone])} title={title}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  );
}

const looks: Readonly<Record<string, { tone: Tone; icon: IconName; word: string }>> = {
  RUNNING: { tone: 'blue', icon: 'dot', word: 'Running' },
  COMPLETED: { tone: 'green', icon: 'check', word: 'Completed' },
  Completed: { tone: 'green', icon: 'check', word: 'Completed' },
  FAILED: { tone: 'red', icon: 'cross', word: 'Failed' },
  Failed: { tone: 'red', icon: 'cross', word: 'Failed' },
  CANCELED: { tone: 'grey', icon: 'ban', word: 'Canceled' },
  Canceled: { tone: 'grey', icon: 'ban', word: 'Canceled' },
  Started: { tone: 'blue', icon: 'dot', word: 'Active' },
  PAUSED: { tone: 'amber', icon: 'pause', word: 'Paused' },
  PENDING: { tone: 'blue', icon: 'dot', word: 'Pending' },
  KEPT: { tone: 'blue', icon: 'dot', word: 'Kept' },
  CLAIMED: { tone: 'amber', icon: 'dot', word: 'On its way' },
  TAKEN: { tone: 'green', icon: 'check', word: 'Taken' },
  EXPIRED: { tone: 'grey', icon: 'ban', word: 'Expired' },
  DELETED: { tone: 'grey', icon: 'cross', word: 'Deleted' },
  CREATED: { tone: 'blue', icon: 'dot', word: 'Open' },
};

/** The status of an instance, element, job, or task, in the words of the API. */
export function StatusBadge({ status }: { status: string }) {
  const { tone, icon, word } = looks[status] ?? { tone: 'grey' as const, icon: 'dot' as const, word: status };
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}

export function IncidentBadge({ count }: { count?: number }) {
  return (
    <Badge tone="red" icon="alert">
      {count === undefined ? 'Incident' : `${count} ${count === 1 ? 'incident' : 'incidents'}`}
    </Badge>
  );
}

/** An instance or activation that takes, or took, longer than its target. */
export function OverTargetBadge({ count }: { count?: number }) {
  return (
    <Badge tone="red" icon="alert">
      {count === undefined ? 'Over target' : `${count.toLocaleString('en')} over target`}
    </Badge>
  );
}

/** An instance that tests a draft. */
export function TestBadge() {
  return <Badge tone="grey">Test</Badge>;
}

/** An instance that has not begun. */
export function QueuedBadge() {
  return (
    <Badge tone="grey" icon="dot" title="Waits for a place of its process">
      Queued
    </Badge>
  );
}

export function PausedBadge({ by = 'Paused', title }: { by?: string; title?: string }) {
  return (
    <Badge tone="amber" icon="pause" title={title}>
      {by}
    </Badge>
  );
}
