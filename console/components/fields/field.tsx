import { useId } from 'react';
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  /** One sentence about valid input. */
  hint?: string;
  /** Why the value is invalid. */
  problem?: string | undefined;
}

/** A label with its control, hint and problem, associated for screen readers. */
function Labelled({
  label,
  hint,
  problem,
  children,
}: FieldProps & {
  children(ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }): ReactNode;
}) {
  const id = useId();
  const describedBy = problem ? `${id}problem` : hint ? `${id}hint` : undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': problem ? true : undefined })}
      {problem ? (
        <p id={`${id}problem`} className={styles.problem} role="alert">
          {problem}
        </p>
      ) : (
        hint && (
          <p id={`${id}hint`} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

export function TextField({ label, hint, problem, ...rest }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ids) => <input {...rest} {...ids} className={styles.control} />}
    </Labelled>
  );
}

export function TextArea({ label, hint, problem, ...rest }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ids) => <textarea {...rest} {...ids} className={styles.control} />}
    </Labelled>
  );
}

export function SelectField({
  label,
  hint,
  problem,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled label={label} hint={hint} problem={problem}>
      {(ids) => (
        <select {...rest} {...ids} className={styles.control}>
          {children}
        </select>
      )}
    </Labelled>
  );
}
