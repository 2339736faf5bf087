import { modelKind } from '@perdure/lib/model-files/kind.js';
import { useState } from 'react';
import { DropArea } from '../../components/fields/drop-area.js';
import { TextField } from '../../components/fields/field.js';
import { Refusal } from '../../components/dialogs/form-dialog.js';
import { readBundle, type Bundle } from './bundle/bundle.js';
import { collect, filesOfDrop, filesOfInput, MAX_MEGABYTES, MAX_MODELS } from './bundle/collect.js';
import styles from './deploy.module.css';
import { readFile, type ModelFile } from './read-file.js';

type Chosen = ReturnType<typeof filesOfInput>;

interface FileDropProps {
  /** Called with one BPMN or DMN file. */
  onFile(file: ModelFile): void;
  /** Called with several files, a folder, a form, or element templates. */
  onBundle(bundle: Bundle): void;
}

/** Lets the browser choose a folder with everything below it. React's types lack the attribute. */
const folderInput = { webkitdirectory: '' } as object;

/** Takes files and folders, chosen or dropped. They stay in the browser until they are saved or deployed. */
export function FileDrop({ onFile, onBundle }: FileDropProps) {
  const [error, setError] = useState<unknown>();
  const take = async (choose: () => Chosen | Promise<Chosen>) => {
    try {
      const chosen = await choose();
      const [only] = chosen;
      if (only === undefined) return;
      if (chosen.length === 1 && isAlone(only.path)) onFile(await readFile(only.file));
      else onBundle(await readBundle(collect(chosen)));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  const takeInput = (target: HTMLInputElement) => {
    const { files } = target;
    if (files === null) return;
    void take(() => filesOfInput(files)).finally(() => {
      // Lets the user choose the same files again after changing them.
      target.value = '';
    });
  };
  return (
    <DropArea
      className={styles.drop}
      overClassName={styles.over}
      onFiles={(dropped) => void take(() => filesOfDrop(dropped))}
    >
      <div className={styles.inputs}>
        <TextField
          label="Model files"
          hint="BPMN, DMN, forms, and element templates. Choose files, or drop files and folders here. They stay in the browser until you deploy or save them."
          type="file"
          multiple
          accept=".bpmn,.dmn,.form,.xml,.json"
          onChange={({ target }) => takeInput(target)}
        />
        <TextField
          label="Folder"
          hint={`Everything below it is deployed together: at most ${MAX_MODELS} models with ${MAX_MEGABYTES} MiB.`}
          type="file"
          {...folderInput}
          onChange={({ target }) => takeInput(target)}
        />
      </div>
      <Refusal error={error} />
    </DropArea>
  );
}

/** Whether it is a file outside of any folder that can be saved as a draft, or shows why not. */
function isAlone(path: string): boolean {
  return !path.includes('/') && !['FORM', 'TEMPLATE'].includes(modelKind(path) ?? '');
}
