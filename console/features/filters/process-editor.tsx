/** Chooses a process by its id or name. */
import { useState } from 'react';
import { ListCombobox, Suggestion } from '../../components/popups/combobox.js';
import { sentenceOf } from '../../components/feedback/states.js';
import type { EditorProps } from './filter-editor.js';
import { useProcessSearch } from './process-search.js';
import styles from './filter-bar.module.css';
import { useSettled } from './use-settled.js';

export function ProcessEditor({ onChange, onDone }: EditorProps) {
  const [text, setText] = useState('');
  const search = useProcessSearch(useSettled(text));
  const processes = search.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = search.data?.pages[0]?.pagination.total ?? 0;
  return (
    <>
      <ListCombobox label="Process" placeholder="Id or name contains" text={text} onText={setText}>
        {processes.map(({ processID, processName }) => (
          <Suggestion
            key={processID}
            hint={processName === processID ? undefined : processID}
            onChoose={() => {
              onChange(processID);
              onDone();
            }}
          >
            {processName}
          </Suggestion>
        ))}
        {search.hasNextPage && (
          <Suggestion onChoose={() => void search.fetchNextPage()}>
            Show more ({processes.length} of {total})
          </Suggestion>
        )}
      </ListCombobox>
      <p className={styles.note} role="status">
        {search.isError
          ? sentenceOf(search.error)
          : search.isPending
            ? 'Loading processes'
            : total === 0
              ? 'No processes match'
              : `${total} ${total === 1 ? 'process' : 'processes'}`}
      </p>
    </>
  );
}
