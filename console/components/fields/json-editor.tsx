import { useState } from 'react';
import styles from './json-editor.module.css';
import { TextArea } from './field.js';

interface JsonEditorProps {
  label: string;
  hint?: string;
  initial?: object;
  rows?: number;
  /** Called with the object, or with undefined while the text is not a JSON object. */
  onChange(value: Record<string, unknown> | undefined): void;
}

/** An object as JSON text. Errors appear below it during typing. */
export function JsonEditor({ label, hint, initial = {}, rows = 6, onChange }: JsonEditorProps) {
  const [{ text, problem }, setContent] = useState<{ text: string; problem?: string | undefined }>(() => ({
    text: JSON.stringify(initial, null, 2),
  }));
  return (
    <div className={styles.editor}>
      <TextArea
        label={label}
        hint={hint}
        problem={problem}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          const { value, problem: found } = readJsonObject(target.value);
          setContent({ text: target.value, problem: found });
          onChange(value);
        }}
      />
    </div>
  );
}

/** Empty text is an empty object. */
export function readJsonObject(text: string): { value?: Record<string, unknown>; problem?: string } {
  if (text.trim() === '') return { value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Invalid JSON: ${(error as Error).message}` };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { value: value as Record<string, unknown> } : { problem: 'Expected an object: { "name": value }' };
}
