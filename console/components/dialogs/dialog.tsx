import { useId } from 'react';
import type { ReactNode } from 'react';
import { IconButton } from '../basics/button.js';
import { classes } from '../basics/classes.js';
import styles from './dialog.module.css';
import { useModal } from './use-modal.js';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** Buttons, the primary one last. */
  footer?: ReactNode;
  /** Whether only a button closes it, and not Escape or the cross. */
  isRequired?: boolean;
  isWide?: boolean;
  /** Called for Escape and for the cross. */
  onClose(): void;
}

/** A modal dialog. Its owner removes it when `onClose` is called. */
export function Dialog({ title, children, footer, isRequired = false, isWide = false, onClose }: DialogProps) {
  const element = useModal();
  const titleID = useId();
  return (
    <dialog
      ref={element}
      className={classes(styles.dialog, isWide && styles.wide)}
      aria-labelledby={titleID}
      onCancel={(event) => {
        event.preventDefault();
        if (!isRequired) onClose();
      }}
    >
      <header className={styles.header}>
        <h2 id={titleID}>{title}</h2>
        {!isRequired && <IconButton icon="close" label="Close" onClick={onClose} />}
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </dialog>
  );
}
