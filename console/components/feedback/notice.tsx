/** A page with one message: what blocks the user, and what to do. */
import type { ReactNode } from 'react';
import { classes } from '../basics/classes.js';
import { Mark } from '../basics/mark.js';
import styles from './notice.module.css';

interface NoticeProps {
  title: string;
  tone?: 'calm' | 'bad';
  busy?: boolean;
  action?: ReactNode;
  children?: ReactNode;
}

export function Notice({ title, tone = 'calm', busy = false, action, children }: NoticeProps) {
  return (
    <main className={styles.page} aria-busy={busy}>
      <div className={classes(styles.card, tone === 'bad' && styles.bad)}>
        <Mark />
        <h1>{title}</h1>
        {children && <p className={styles.text}>{children}</p>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </main>
  );
}
