/** The JSON of a form, next to the form as a task shows it. */
import { useEffect, useState } from 'react';
import { readJsonObject } from '../../components/fields/json-editor.js';
import { TextArea } from '../../components/fields/field.js';
import { FormPreview } from '../../features/forms/form-preview.js';
import type { Editing } from '../../features/modeler/editing.js';
import styles from './modeler.module.css';

/** Edits in quick succession are drawn once. */
const DRAW_AFTER_MS = 400;

export function FormWorkspace({ editing, text }: { editing: Editing; text: string }) {
  const drawn = useDrawn(text);
  return (
    <div className={styles.form}>
      <TextArea
        label="JSON"
        rows={24}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => editing.setText(target.value)}
      />
      {/* The preview reads a form once. */}
      {drawn && <FormPreview key={drawn.text} schema={drawn.schema} />}
    </div>
  );
}

interface DrawnForm {
  text: string;
  schema: object;
}

/** The form that is shown: the last text that can be one. */
function useDrawn(text: string): DrawnForm | undefined {
  const [drawn, setDrawn] = useState<DrawnForm | undefined>(() => formIn(text));
  useEffect(() => {
    const timer = setTimeout(() => setDrawn((last) => formIn(text) ?? last), DRAW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return drawn;
}

function formIn(text: string): DrawnForm | undefined {
  const { value } = readJsonObject(text);
  return value && Array.isArray(value['components']) ? { text, schema: value } : undefined;
}
