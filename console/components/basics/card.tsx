import type { ReactNode } from 'react';
import styles from './card.module.css';

/** A framed surface. With a title, it is a section. */
export function Card({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  if (title === undefined) return <div className={styles.card}>{children}</div>;
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.header}>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
