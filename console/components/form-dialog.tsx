import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import styles from './form-dialog.module.css';
import { Icon } from './icon.js';
import { sentenceOf } from './states.js';

interface FormDialogProps {
  title: string;
  /** What the button does, as a verb: `Cancel the instance`. */
  submitLabel: string;
  isDangerous?: boolean;
  isBusy: boolean;
  /** What is in the form cannot be sent. */
  isIncomplete?: boolean;
  /** Why the last attempt was refused. */
  error: unknown;
  isWide?: boolean;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks for what a command needs. A refusal stands below the fields, which keep what was typed. */
export function FormDialog({ title, submitLabel, isDangerous = false, isBusy, isIncomplete = false, error, isWide, onSubmit, onClose, children }: FormDialogProps) {
  const formID = useId();
  return (
    <Dialog
      title={title}
      isWide={isWide}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" form={formID} kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} disabled={isIncomplete}>{submitLabel}</Button>
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

/** Why something was refused; nothing while nothing was. */
export function Refusal({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return <p className={styles.refusal} role="alert"><Icon name="alert" /> <span>{sentenceOf(error)}</span></p>;
}
