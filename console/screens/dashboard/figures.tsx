import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '../../components/basics/card.js';
import { classes } from '../../components/basics/classes.js';
import { Icon } from '../../components/basics/icon.js';
import styles from './dashboard.module.css';

interface Figure {
  label: string;
  count: number;
  /** The list of the counted items; undefined if the role may not see it. */
  to: string | undefined;
  /** The color of a number above 0. */
  tone?: 'red' | 'amber';
  note?: ReactNode;
}

/** Numbers side by side. */
export function Figures({ title, marks, figures }: { title: string; marks?: ReactNode; figures: readonly Figure[] }) {
  return (
    <Card title={title} actions={marks}>
      <ul className={styles.figures}>
        {figures.map((figure) => (
          <li key={figure.label}>
            <Content {...figure} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Content({ label, count, to, tone, note }: Figure) {
  const isMarked = tone !== undefined && count > 0;
  const content = (
    <>
      <span className={classes(styles.count, isMarked && styles[tone])}>
        {isMarked && <Icon name={tone === 'red' ? 'alert' : 'pause'} />}
        {count.toLocaleString('en')}
      </span>
      <span className={styles.label}>{label}</span>
      {note && <span className={styles.note}>{note}</span>}
    </>
  );
  // Links are relative to the project, not to the dashboard.
  return to === undefined ? (
    <div className={styles.figure}>{content}</div>
  ) : (
    <Link to={`../${to}`} className={styles.figure}>
      {content}
    </Link>
  );
}
