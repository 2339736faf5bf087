/** A FEEL editor with highlighting, completion, and inline syntax errors. It is heavy, so it is loaded on demand. */
import { lazy, Suspense } from 'react';
import styles from './feel-editor.module.css';

export interface FeelEditorProps {
  label: string;
  value: string;
  /** Names that completion offers. */
  variables?: readonly string[];
  placeholder?: string;
  /** Errors from the host, shown below the editor. */
  problem?: string | undefined;
  onChange(value: string): void;
  /** Ctrl+Enter, or Cmd+Enter. */
  onSubmit?(): void;
}

const FeelCodeEditor = lazy(() => import('./feel-code-editor.js'));

export function FeelEditor(props: FeelEditorProps) {
  return (
    <div className={styles.field}>
      <span className={styles.label} aria-hidden="true">
        {props.label}
      </span>
      <Suspense fallback={<div className={styles.frame} role="status" aria-label="Loading the editor" />}>
        <FeelCodeEditor {...props} />
      </Suspense>
      {props.problem && (
        <p className={styles.problem} role="alert">
          {props.problem}
        </p>
      )}
    </div>
  );
}
