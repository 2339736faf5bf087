import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** Where it belongs: a list that it is one of. */
  parent?: { label: string; to: string };
  /** Next to the title: marks, counts. */
  marks?: ReactNode;
  /** To the right of it: buttons. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its title, which is the document's too, and below it what it shows. */
export function Page({ title, parent, marks, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Perdure`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.titles}>
          {parent && (
            <Link className={styles.parent} to={parent.to}>
              {parent.label}
            </Link>
          )}
          <h1>{title}</h1>
          {marks}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
