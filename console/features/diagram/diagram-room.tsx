import type { ReactNode } from 'react';
import { classes } from '../../components/basics/classes.js';
import styles from './diagram-room.module.css';

/** The height of a diagram or of its placeholder: on a page, where users can drag its corner, or in a dialog. */
export function DiagramRoom({ isInDialog = false, children }: { isInDialog?: boolean; children: ReactNode }) {
  return <div className={classes(styles.room, isInDialog && styles.inDialog)}>{children}</div>;
}
