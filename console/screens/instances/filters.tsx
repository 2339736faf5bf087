/** The filters of the list, as the address names them: the parameters of the API under their own names. */
import { Button } from '../../components/button.js';
import { SelectField } from '../../components/field.js';
import { InstantField } from '../../components/instant-field.js';
import { SettledText } from '../../components/settled-text.js';
import { useAddress } from '../../layout/use-address.js';
import type { Address } from '../../layout/use-address.js';
import type { paths } from '../../../client/schema.js';
import styles from './filters.module.css';

type Query = NonNullable<paths['/projects/{projectID}/bpmn/instances']['get']['parameters']['query']>;
export type InstanceFilter = Omit<Query, 'page' | 'pageSize'>;

const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

/** The changes to the address that take every filter away. */
export const noFilter = { status: undefined, hasIncident: undefined, suspended: undefined, processId: undefined, definitionID: undefined, businessId: undefined, createdAfter: undefined, page: undefined };

/** Words that are no values of a filter count as not being there: addresses are typed by people too. */
export function filterOf({ get }: Address): InstanceFilter {
  return {
    status: statuses.find((status) => status === get('status')),
    hasIncident: truth(get('hasIncident')),
    suspended: truth(get('suspended')),
    processId: get('processId'),
    definitionID: get('definitionID'),
    businessId: get('businessId'),
    createdAfter: get('createdAfter'),
  };
}

export function isFiltered(filter: InstanceFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function Filters() {
  const address = useAddress();
  const set = (name: keyof InstanceFilter) => (value: string) => address.set({ [name]: value, page: undefined });
  return (
    <search className={styles.filters} aria-label="Filters">
      <SelectField label="Status" value={address.get('status') ?? ''} onChange={({ target }) => set('status')(target.value)}>
        <option value="">Any</option>
        <option value="RUNNING">Running</option>
        <option value="COMPLETED">Completed</option>
        <option value="FAILED">Failed</option>
        <option value="CANCELED">Canceled</option>
      </SelectField>
      <SelectField label="Incident" value={address.get('hasIncident') ?? ''} onChange={({ target }) => set('hasIncident')(target.value)}>
        <option value="">Any</option>
        <option value="true">With an incident</option>
        <option value="false">Without</option>
      </SelectField>
      <SelectField label="Pause" value={address.get('suspended') ?? ''} onChange={({ target }) => set('suspended')(target.value)}>
        <option value="">Any</option>
        <option value="true">Paused</option>
        <option value="false">Not paused</option>
      </SelectField>
      <SettledText label="Process id" placeholder="Exactly" value={address.get('processId')} onSettle={set('processId')} />
      <SettledText label="Business id" placeholder="Exactly" value={address.get('businessId')} onSettle={set('businessId')} />
      <InstantField label="Started after" value={address.get('createdAfter')} onChange={set('createdAfter')} />
      {isFiltered(filterOf(address)) && <Button kind="quiet" icon="close" onClick={() => address.set(noFilter)}>Clear</Button>}
    </search>
  );
}

function truth(word: string | undefined): boolean | undefined {
  return word === 'true' ? true : word === 'false' ? false : undefined;
}
