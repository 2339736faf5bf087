/** A FEEL expression with colours, completion and its syntax errors in place. The editor is heavy, so it is loaded when one is shown. */
import { lazy, Suspense } from 'react';
import styles from './feel-editor.module.css';

export interface FeelEditorProps {
  label: string;
  value: string;
  /** Names that completion offers. */
  variables?: readonly string[];
  placeholder?: string;
  /** What the host found wrong with it: stands below, beside what the editor finds by itself. */
  problem?: string | undefined;
  onChange(value: string): void;
  /** Ctrl+Enter, or Cmd+Enter. */
  onSubmit?(): void;
}

const FeelCodeEditor = lazy(() => import('./feel-code-editor.js'));

export function FeelEditor(props: FeelEditorProps) {
  return (
    <div className={styles.field}>
      <span className={styles.label} aria-hidden="true">{props.label}</span>
      <Suspense fallback={<div className={styles.frame} role="status" aria-label="Loading the editor" />}><FeelCodeEditor {...props} /></Suspense>
      {props.problem && <p className={styles.problem} role="alert">{props.problem}</p>}
    </div>
  );
}
