import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'react-router';
import type { LinkProps } from 'react-router';
import styles from './button.module.css';
import { classes } from './classes.js';
import { Icon } from './icon.js';
import type { IconName } from './icon.js';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  icon?: IconName;
  /** Whether its action is running. The button is then disabled and says so. */
  isBusy?: boolean;
}

export function Button({ kind = 'plain', icon, isBusy = false, disabled, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(styles.button, styles[kind], className)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button with an icon only. Its label is the accessible name and the tooltip. */
export function IconButton({
  label,
  icon,
  className,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & { label: string; icon: IconName }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classes(styles.button, styles.quiet, styles.iconOnly, className)}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  kind = 'plain',
  icon,
  children,
  ...rest
}: LinkProps & { kind?: ButtonKind; icon?: IconName; children: ReactNode }) {
  return (
    <Link {...rest} className={classes(styles.button, styles[kind])}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  );
}
