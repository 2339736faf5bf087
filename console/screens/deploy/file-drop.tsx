import { useState } from 'react';
import { classes } from '../../components/basics/classes.js';
import { TextField } from '../../components/fields/field.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import styles from './deploy.module.css';
import { readFile, type ModelFile } from './read-file.js';

/** Takes one file, chosen or dropped. It stays in the browser until it is saved or deployed. */
export function FileDrop({ onFile }: { onFile(file: ModelFile): void }) {
  const [isOver, setIsOver] = useState(false);
  const [error, setError] = useState<unknown>();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      onFile(await readFile(file));
      setError(undefined);
    } catch (failure) {
      setError(failure);
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
        label="BPMN or DMN file"
        hint="Choose one, or drop it here. The file stays in the browser until you deploy or save it."
        type="file"
        accept=".bpmn,.dmn,.xml"
        onChange={({ target }) => {
          void take(target.files?.[0]);
          // Lets the user choose the same file again after changing it.
          target.value = '';
        }}
      />
      <Refusal error={error} />
    </div>
  );
}
