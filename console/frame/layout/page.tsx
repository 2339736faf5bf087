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
  /** Whether another page is shown instead, and this one keeps its state. */
  isHidden?: boolean;
  children: ReactNode;
}

/** A screen with its title, which is also the title of the document. */
export function Page({ title, parent, place, marks, actions, isHidden = false, children }: PageProps) {
  useRecentPlace(place);
  useEffect(() => {
    if (!isHidden) document.title = `${title} · Perdure`;
  }, [title, isHidden]);
  return (
    <div className={styles.page} hidden={isHidden}>
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
