/** Finds instances of one version by their variables. The query is in the address. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import { FeelEditor } from '../../features/feel/feel-editor.js';
import { Page } from '../../frame/layout/page.js';
import type { Schemas } from '../../frame/api/client.js';
import { useAddress, type Address } from '../../frame/layout/use-address.js';
import { useProcesses, useVersions } from '../../frame/project/processes.js';
import { countedText } from '../processes/instance-count.js';
import { Results } from './results.js';
import type { Question as Asked } from './results.js';
import styles from './search.module.css';
import { useVariableNames } from './use-variable-names.js';

const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;
/** Number of variable names below the editor. Completion offers all of them. */
const MAX_NAMES = 12;

type Process = Pick<Schemas['BpmnProcessDefinition'], 'processID' | 'processName'>;

export default function Search() {
  const processes = useProcesses();
  return (
    <Page title="Search">
      {processes.data === undefined ? (
        <Card>
          {processes.isError ? (
            <ErrorState error={processes.error} retry={() => void processes.refetch()} />
          ) : (
            <Loading label="Loading processes" />
          )}
        </Card>
      ) : processes.data.data.length === 0 ? (
        <Card>
          <EmptyState title="Nothing to search yet" icon="search">
            Deploy a process and start it. You can then find its instances by their variables.
          </EmptyState>
        </Card>
      ) : (
        <Question processes={processes.data.data} />
      )}
    </Page>
  );
}

/** The query, and its matches after a search. */
function Question({ processes }: { processes: readonly Process[] }) {
  const address = useAddress();
  const processID = address.get('process') ?? processes[0]!.processID;
  const versions = useVersions(processID);
  const definitionID = address.get('definition') ?? versions.data?.data[0]?.id;
  const asked = address.get('q');
  const scope = scopeOf(address);
  const [predicate, setPredicate] = useState(asked ?? '');
  const [round, setRound] = useState(0);
  const ask = () => {
    address.set({ q: predicate.trim(), definition: definitionID });
    setRound(round + 1);
  };
  return (
    <>
      <search className={styles.question} aria-label="Query">
        <div className={styles.scope}>
          <VersionFields
            processes={processes}
            processID={processID}
            versions={versions.data?.data ?? []}
            definitionID={definitionID}
          />
          <ScopeFields />
        </div>
        <Condition definitionID={definitionID} predicate={predicate} onChange={setPredicate} onSubmit={ask} />
      </search>
      {asked !== undefined && definitionID !== undefined && (
        <Results
          key={`${JSON.stringify(scope)} ${definitionID} ${asked} ${round}`}
          question={{ definitionID, predicate: asked, ...scope }}
        />
      )}
    </>
  );
}

/** Filters of the version's instances, applied before the condition is evaluated. */
function scopeOf({ get }: Pick<Address, 'get'>): Omit<Asked, 'definitionID' | 'predicate'> {
  const incident = get('incident');
  return {
    status: statuses.find((one) => one === get('status')),
    hasIncident: incident === 'true' ? true : incident === 'false' ? false : undefined,
    businessId: get('businessId'),
    createdAfter: get('createdAfter'),
  };
}

interface VersionFieldsProps {
  processes: readonly Process[];
  processID: string;
  versions: readonly Schemas['BpmnProcessVersion'][];
  definitionID: string | undefined;
}

function VersionFields({ processes, processID, versions, definitionID }: VersionFieldsProps) {
  const address = useAddress();
  return (
    <>
      <SelectField
        label="Process"
        value={processID}
        onChange={({ target }) => address.set({ process: target.value, definition: undefined, q: undefined })}
      >
        {processes.map((one) => (
          <option key={one.processID} value={one.processID}>
            {one.processName || one.processID}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Version"
        value={definitionID ?? ''}
        onChange={({ target }) => address.set({ definition: target.value, q: undefined })}
      >
        {versions.map(({ id, version, totalCount }) => (
          <option key={id} value={id}>{`${version} (${countedText(totalCount)} instances)`}</option>
        ))}
      </SelectField>
    </>
  );
}

function ScopeFields() {
  const address = useAddress();
  return (
    <>
      <SelectField
        label="Status"
        value={scopeOf(address).status ?? ''}
        onChange={({ target }) => address.set({ status: target.value, q: undefined })}
      >
        <option value="">Any</option>
        {statuses.map((one) => (
          <option key={one} value={one}>
            {one.charAt(0) + one.slice(1).toLowerCase()}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Incident"
        value={address.get('incident') ?? ''}
        onChange={({ target }) => address.set({ incident: target.value, q: undefined })}
      >
        <option value="">Any</option>
        <option value="true">With an incident</option>
        <option value="false">Without</option>
      </SelectField>
      <DebouncedText
        label="Business id"
        placeholder="Exact match"
        value={address.get('businessId')}
        onSettle={(text) => address.set({ businessId: text })}
      />
      <InstantField
        label="Started after"
        value={address.get('createdAfter')}
        onChange={(instant) => address.set({ createdAfter: instant, q: undefined })}
      />
    </>
  );
}

interface ConditionProps {
  definitionID: string | undefined;
  predicate: string;
  onChange(predicate: string): void;
  onSubmit(): void;
}

function Condition({ definitionID, predicate, onChange, onSubmit }: ConditionProps) {
  const names = useVariableNames(definitionID);
  return (
    <>
      <FeelEditor
        label="Condition (FEEL)"
        value={predicate}
        variables={names}
        placeholder='total > 1000 and customer.country = "DE"'
        onChange={onChange}
        onSubmit={onSubmit}
      />
      <div className={styles.run}>
        <Button
          kind="primary"
          icon="search"
          disabled={predicate.trim() === '' || definitionID === undefined}
          onClick={onSubmit}
        >
          Search
        </Button>
        <span>Ctrl+Enter</span>
        {names && names.length > 0 && (
          <span className={styles.names}>
            Variables:{' '}
            {names.slice(0, MAX_NAMES).map((name) => (
              <code key={name}>{name}</code>
            ))}
            {names.length > MAX_NAMES && ` and ${names.length - MAX_NAMES} more`}
          </span>
        )}
      </div>
    </>
  );
}
