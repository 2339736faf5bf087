import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRecentPlace } from '../palette/use-recent-place.js';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** The list that the page belongs to. */
  parent?: { label: string; to: string };
  /** Remembers the page under this name, so that the command palette leads back to it. */
  place?: { name: string; about: string } | undefined;
  /** Shown next to the title: badges, counts. */
  marks?: ReactNode;
  /** Shown to the right of the title: buttons. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with its title, which is also the title of the document. */
export function Page({ title, parent, place, marks, actions, children }: PageProps) {
  useRecentPlace(place);
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
