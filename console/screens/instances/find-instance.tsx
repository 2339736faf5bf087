/** One field for instance ids, business ids, and processes: each suggestion names what it looks for. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SearchCombobox, Suggestion } from '../../components/popups/combobox.js';
import { useProcessSearch } from '../../features/filters/process-search.js';
import { useSettled } from '../../features/filters/use-settled.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { instanceIDIn, instanceIDPrefixOf } from './quick-filters.js';

const maxProcesses = 6;

export function FindInstance() {
  const address = useAddress();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const words = text.trim();
  const instanceID = instanceIDIn(words);
  const idPrefix = instanceIDPrefixOf(words);
  const settled = useSettled(words);
  const search = useProcessSearch(settled, settled !== '');
  const processes = words === '' ? [] : (search.data?.pages[0]?.data ?? []).slice(0, maxProcesses);
  const filterBy = (filter: Record<string, string>) => {
    address.set({ ...filter, page: undefined });
    setText('');
  };
  return (
    <SearchCombobox
      label="Find instances"
      placeholder="Instance id, business id, or process"
      text={text}
      onText={setText}
    >
      {instanceID !== undefined && (
        <Suggestion hint={instanceID} onChoose={() => void navigate(instanceID)}>
          Open the instance
        </Suggestion>
      )}
      {instanceID === undefined && idPrefix !== undefined && (
        <Suggestion hint={idPrefix} onChoose={() => filterBy({ workflowIDPrefix: idPrefix })}>
          Instance id begins with
        </Suggestion>
      )}
      {words !== '' && (
        <Suggestion hint={words} onChoose={() => filterBy({ businessIdPrefix: words })}>
          Business id begins with
        </Suggestion>
      )}
      {processes.map(({ processID, processName }) => (
        <Suggestion key={processID} hint={processID} onChoose={() => filterBy({ processId: processID })}>
          Process {processName}
        </Suggestion>
      ))}
    </SearchCombobox>
  );
}
