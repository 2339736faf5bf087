import type { ReactNode } from 'react';
import styles from './banner.module.css';
import { classes } from '../basics/classes.js';
import { Icon } from '../basics/icon.js';
import type { IconName } from '../basics/icon.js';

/** One thing about the whole page that has to be known before anything is done. */
export function Banner({
  tone,
  icon,
  title,
  action,
  children,
}: {
  tone: 'amber' | 'red' | 'blue';
  icon: IconName;
  title: string;
  /** A button next to the text. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={classes(styles.banner, styles[tone], action !== undefined && styles.withAction)} role="status">
      <Icon name={icon} />
      <p>
        <strong>{title}</strong>
        {children && <> {children}</>}
      </p>
      {action}
    </div>
  );
}
