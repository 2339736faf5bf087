/** The fields that narrow the list. */
import { Button } from '../../components/basics/button.js';
import { SelectField } from '../../components/fields/field.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { useAddress } from '../../frame/layout/use-address.js';
import styles from './filters.module.css';
import { filterOf } from './list-query.js';
import type { InstanceFilter } from './list-query.js';

/** The changes to the address that take every filter away. */
export const noFilter = {
  status: undefined,
  hasIncident: undefined,
  suspended: undefined,
  overTarget: undefined,
  processId: undefined,
  definitionID: undefined,
  businessId: undefined,
  activeNodeID: undefined,
  businessIdPrefix: undefined,
  failureReasonContains: undefined,
  startedBy: undefined,
  root: undefined,
  isTest: undefined,
  createdAfter: undefined,
  createdBefore: undefined,
  completedAfter: undefined,
  completedBefore: undefined,
  page: undefined,
};

export function isFiltered(filter: InstanceFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function Filters() {
  const address = useAddress();
  const set = (name: keyof InstanceFilter) => (value: string) => address.set({ [name]: value, page: undefined });
  return (
    <search className={styles.filters} aria-label="Filters">
      <SelectField
        label="Status"
        value={address.get('status') ?? ''}
        onChange={({ target }) => set('status')(target.value)}
      >
        <option value="">Any</option>
        <option value="RUNNING">Running</option>
        <option value="COMPLETED">Completed</option>
        <option value="FAILED">Failed</option>
        <option value="CANCELED">Canceled</option>
      </SelectField>
      <SelectField
        label="Incident"
        value={address.get('hasIncident') ?? ''}
        onChange={({ target }) => set('hasIncident')(target.value)}
      >
        <option value="">Any</option>
        <option value="true">With an incident</option>
        <option value="false">Without</option>
      </SelectField>
      <SelectField
        label="Pause"
        value={address.get('suspended') ?? ''}
        onChange={({ target }) => set('suspended')(target.value)}
      >
        <option value="">Any</option>
        <option value="true">Paused</option>
        <option value="false">Not paused</option>
      </SelectField>
      <SelectField
        label="Duration"
        value={address.get('overTarget') ?? ''}
        onChange={({ target }) => set('overTarget')(target.value)}
      >
        <option value="">Any</option>
        <option value="true">Over target</option>
        <option value="false">Not over target</option>
      </SelectField>
      <DebouncedText
        label="Process id"
        placeholder="Exactly"
        value={address.get('processId')}
        onSettle={set('processId')}
      />
      <DebouncedText
        label="Business id"
        placeholder="Exactly"
        value={address.get('businessId')}
        onSettle={set('businessId')}
      />
      <DebouncedText
        label="Business id begins with"
        placeholder="Case-sensitive"
        value={address.get('businessIdPrefix')}
        onSettle={set('businessIdPrefix')}
      />
      <DebouncedText
        label="Failure contains"
        placeholder="At least 3 characters"
        value={address.get('failureReasonContains')}
        onSettle={set('failureReasonContains')}
      />
      <DebouncedText
        label="Started by"
        placeholder="Exactly"
        value={address.get('startedBy')}
        onSettle={set('startedBy')}
      />
      <SelectField
        label="Called"
        value={address.get('root') ?? ''}
        onChange={({ target }) => set('root')(target.value)}
      >
        <option value="">Any</option>
        <option value="true">Not called</option>
        <option value="false">By another instance</option>
      </SelectField>
      <SelectField
        label="Tests of drafts"
        value={address.get('isTest') ?? ''}
        onChange={({ target }) => set('isTest')(target.value)}
      >
        <option value="">Left out</option>
        <option value="true">Only tests</option>
      </SelectField>
      <DebouncedText
        label="At node"
        placeholder="Exactly, by its id"
        value={address.get('activeNodeID')}
        onSettle={set('activeNodeID')}
      />
      <InstantField label="Started after" value={address.get('createdAfter')} onChange={set('createdAfter')} />
      <InstantField label="Started before" value={address.get('createdBefore')} onChange={set('createdBefore')} />
      <InstantField label="Ended after" value={address.get('completedAfter')} onChange={set('completedAfter')} />
      <InstantField label="Ended before" value={address.get('completedBefore')} onChange={set('completedBefore')} />
      {isFiltered(filterOf(address)) && (
        <Button kind="quiet" icon="close" onClick={() => address.set(noFilter)}>
          Clear
        </Button>
      )}
    </search>
  );
}
