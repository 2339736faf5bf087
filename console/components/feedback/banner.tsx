import type { ReactNode } from 'react';
import styles from './banner.module.css';
import { classes } from '../basics/classes.js';
import { Icon } from '../basics/icon.js';
import type { IconName } from '../basics/icon.js';

/** A notice about the whole page that users need before they act. */
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
