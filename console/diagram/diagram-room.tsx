import type { ReactNode } from 'react';
import styles from './diagram-room.module.css';

/** The height that a diagram, or what comes before it, has on a page. Whoever wants another pulls at its corner. */
export function DiagramRoom({ children }: { children: ReactNode }) {
  return <div className={styles.room}>{children}</div>;
}
