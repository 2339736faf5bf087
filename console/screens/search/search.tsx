/** Finds instances of one version by their variables. The address has the query. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { InstantField } from '../../components/fields/instant-field.js';
import { DebouncedText } from '../../components/fields/debounced-text.js';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import { FeelEditor } from '../../features/feel/feel-editor.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProcesses, useVersions } from '../../frame/project/processes.js';
import { countedText } from '../processes/instance-count.js';
import { Results } from './results.js';
import type { Question as Asked } from './results.js';
import styles from './search.module.css';
import { useVariableNames } from './use-variable-names.js';

const statuses = ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

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

function Question({ processes }: { processes: readonly { processID: string; processName: string }[] }) {
  const address = useAddress();
  const processID = address.get('process') ?? processes[0]!.processID;
  const versions = useVersions(processID);
  const definitionID = address.get('definition') ?? versions.data?.data[0]?.id;
  const asked = address.get('q');
  const status = statuses.find((one) => one === address.get('status'));
  const hasIncident =
    address.get('incident') === 'true' ? true : address.get('incident') === 'false' ? false : undefined;
  const businessId = address.get('businessId');
  const createdAfter = address.get('createdAfter');
  const question: Omit<Asked, 'definitionID' | 'predicate'> = { status, hasIncident, businessId, createdAfter };
  const [predicate, setPredicate] = useState(asked ?? '');
  const [round, setRound] = useState(0);
  const names = useVariableNames(definitionID);
  const ask = () => {
    address.set({ q: predicate.trim(), definition: definitionID });
    setRound(round + 1);
  };
  return (
    <>
      <search className={styles.question} aria-label="Query">
        <div className={styles.scope}>
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
            {versions.data?.data.map(({ id, version, totalCount }) => (
              <option key={id} value={id}>{`${version} (${countedText(totalCount)} instances)`}</option>
            ))}
          </SelectField>
          <SelectField
            label="Status"
            value={status ?? ''}
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
            placeholder="Exactly"
            value={businessId}
            onSettle={(text) => address.set({ businessId: text })}
          />
          <InstantField
            label="Started after"
            value={createdAfter}
            onChange={(instant) => address.set({ createdAfter: instant, q: undefined })}
          />
        </div>
        <FeelEditor
          label="Condition (FEEL)"
          value={predicate}
          variables={names}
          placeholder='total > 1000 and customer.country = "DE"'
          onChange={setPredicate}
          onSubmit={ask}
        />
        <div className={styles.run}>
          <Button
            kind="primary"
            icon="search"
            disabled={predicate.trim() === '' || definitionID === undefined}
            onClick={ask}
          >
            Search
          </Button>
          <span>Ctrl+Enter</span>
          {names && names.length > 0 && (
            <span className={styles.names}>
              Variables:{' '}
              {names.slice(0, 12).map((name) => (
                <code key={name}>{name}</code>
              ))}
              {names.length > 12 && ` and ${names.length - 12} more`}
            </span>
          )}
        </div>
      </search>
      {asked !== undefined && definitionID !== undefined && (
        <Results
          key={`${JSON.stringify(question)} ${definitionID} ${asked} ${round}`}
          question={{ definitionID, predicate: asked, ...question }}
        />
      )}
    </>
  );
}
