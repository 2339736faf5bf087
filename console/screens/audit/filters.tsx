/** The filters of the audit log. The address has them. */
import { Button } from '../../components/basics/button.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { SelectField } from '../../components/fields/field.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { useAddress, type Address } from '../../frame/layout/use-address.js';
import styles from './audit.module.css';
import { inWords, recordedOperations } from './operations.js';

const outcomes = ['APPLIED', 'PENDING', 'REJECTED'] as const;

const texts = {
  actor: 'Who',
  businessId: 'Business id',
  workflowID: 'Instance',
  executionKey: 'Job or task',
  definitionID: 'Definition',
  batchID: 'Batch',
} as const;
const times = { since: 'Since', until: 'Until' } as const;

type Text = keyof typeof texts | keyof typeof times;

export function filterOf(address: Pick<Address, 'get'>) {
  const given = Object.fromEntries(
    [...Object.keys(texts), ...Object.keys(times)].map((name) => [name, address.get(name)]),
  ) as Record<Text, string | undefined>;
  return {
    ...given,
    operation: recordedOperations.find((operation) => operation === address.get('operation')),
    outcome: outcomes.find((outcome) => outcome === address.get('outcome')),
  };
}

export function Filters() {
  const address = useAddress();
  const filter = filterOf(address);
  const set = (name: string) => (value: string) => address.set({ [name]: value, page: undefined });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <search className={styles.filters} aria-label="Filters">
      <SelectField
        label="What"
        value={filter.operation ?? ''}
        onChange={({ target }) => set('operation')(target.value)}
      >
        <option value="">Any</option>
        {recordedOperations.map((operation) => (
          <option key={operation} value={operation}>
            {inWords(operation)}
          </option>
        ))}
      </SelectField>
      <SelectField label="Outcome" value={filter.outcome ?? ''} onChange={({ target }) => set('outcome')(target.value)}>
        <option value="">Any</option>
        <option value="APPLIED">Done</option>
        <option value="PENDING">Accepted</option>
        <option value="REJECTED">Refused</option>
      </SelectField>
      {Object.entries(texts).map(([name, label]) => (
        <DebouncedText key={name} label={label} placeholder="Exactly" value={address.get(name)} onSettle={set(name)} />
      ))}
      {Object.entries(times).map(([name, label]) => (
        <InstantField key={name} label={label} value={address.get(name)} onChange={set(name)} />
      ))}
      {isFiltered && (
        <Button
          kind="quiet"
          icon="close"
          onClick={() =>
            address.set(Object.fromEntries([...Object.keys(filter), 'page'].map((name) => [name, undefined])))
          }
        >
          Clear
        </Button>
      )}
    </search>
  );
}
