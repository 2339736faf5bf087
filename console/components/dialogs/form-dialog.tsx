import { useId } from 'react';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../frame/api/client.js';
import { Button } from '../basics/button.js';
import { Dialog } from './dialog.js';
import styles from './form-dialog.module.css';
import { Icon } from '../basics/icon.js';
import { sentenceOf } from '../feedback/states.js';

interface FormDialogProps {
  title: string;
  /** The label of the button, as a verb: `Cancel the instance`. */
  submitLabel: string;
  /** The label of the button that closes the dialog (default `Cancel`). */
  dismissLabel?: string;
  isDangerous?: boolean;
  isBusy: boolean;
  /** Whether required input is missing or invalid. */
  isIncomplete?: boolean;
  /** The error of the last attempt. */
  error: unknown;
  isWide?: boolean;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** Collects the input of a command. A refusal appears below the fields, which keep their values. */
export function FormDialog({
  title,
  submitLabel,
  dismissLabel = 'Cancel',
  isDangerous = false,
  isBusy,
  isIncomplete = false,
  error,
  isWide,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const formID = useId();
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{dismissLabel}</Button>
          <Button
            type="submit"
            form={formID}
            kind={isDangerous ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={isIncomplete}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={formID}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <Refusal error={error} />
      </form>
    </Dialog>
  );
}

/** Scrolled to, because in a long form it would be out of sight. */
const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** Why a request was refused. Draws nothing without an error. */
export function Refusal({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const issues = error instanceof ApiProblem ? error.issues : [];
  if (issues.length < 2)
    return (
      <p ref={show} className={styles.refusal} role="alert">
        <Icon name="alert" /> <span>{sentenceOf(error)}</span>
      </p>
    );
  return (
    <div ref={show} className={styles.refusal} role="alert">
      <Icon name="alert" />
      <Issues issues={issues} />
    </div>
  );
}

/** All issues of a refused request. */
export function Issues({ issues }: { issues: readonly string[] }) {
  return (
    <div ref={show}>
      <p>{issues.length === 1 ? 'One issue' : `${issues.length} issues`} to resolve first:</p>
      <ul className={styles.issues}>
        {issues.map((issue) => (
          <li key={issue}>{issue}</li>
        ))}
      </ul>
    </div>
  );
}
