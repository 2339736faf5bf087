import type { ReactNode } from 'react';
import { classes } from '../components/classes.js';
import styles from './diagram-room.module.css';

/** The height that a diagram, or what comes before it, has: on a page, where whoever wants another pulls at its corner, or in a dialog. */
export function DiagramRoom({ isInDialog = false, children }: { isInDialog?: boolean; children: ReactNode }) {
  return <div className={classes(styles.room, isInDialog && styles.inDialog)}>{children}</div>;
}
