import { useState } from 'react';
import { classes } from '../../components/classes.js';
import { TextField } from '../../components/field.js';
import { Refusal } from '../../components/form-dialog.js';
import styles from './deploy.module.css';
import type { BpmnFile } from './open-file.js';

/** Takes one file, chosen or dropped. It stays in the browser until it is saved or deployed. */
export function FileDrop({ onFile }: { onFile(file: BpmnFile): void }) {
  const [isOver, setIsOver] = useState(false);
  const [error, setError] = useState<unknown>();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      onFile({ name: file.name, xml: await file.text() });
      setError(undefined);
    } catch {
      setError(new Error(`${file.name} cannot be read: expected a file, found a folder or something that has gone meanwhile.`));
    }
  };
  return (
    <div
      className={classes(styles.drop, isOver && styles.over)}
      data-drop="file"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void take(event.dataTransfer.files[0]);
      }}
    >
      <TextField
        label="BPMN file"
        hint="Choose one, or drop it here. Nothing is sent to be kept before you say so."
        type="file"
        accept=".bpmn,.xml"
        onChange={({ target }) => {
          void take(target.files?.[0]);
          // The same file, changed meanwhile, can be chosen again.
          target.value = '';
        }}
      />
      <Refusal error={error} />
    </div>
  );
}
