/** A version of a DMN file: its decisions, a test pane, and recorded evaluations. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { ButtonLink } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { ErrorState, Loading } from '../../components/feedback/states.js';
import { Tabs } from '../../components/basics/tabs.js';
import { dayOf } from '../../components/values/format-time.js';
import { DecisionView } from '../../features/decision/decision-view.js';
import { readDecisions } from '../../features/decision/read-file.js';
import { Results, type Evaluated } from '../../features/decision/results.js';
import { modelerOf, ofDecisions } from '../../features/modeler/files/addresses.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed, useProject } from '../../frame/project/project.js';
import styles from './decision-file.module.css';
import { Executions } from './executions.js';
import { TestPane } from './test-pane.js';

type Definition = Schemas['Definition'];

export default function DecisionFile() {
  const { definitionsID = '' } = useParams();
  const { id: projectID } = useProject();
  const address = useAddress();
  const versions = useQuery({
    queryKey: [projectID, 'decision file', definitionsID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/versions', {
          params: { path: { projectID, definitionsID }, query: { pageSize: 100 } },
          signal,
        }),
      ),
  });
  const all = versions.data?.data ?? [];
  const shown = all.find(({ version }) => String(version) === address.get('version')) ?? all[0];
  const tab = address.get('tab') === 'executions' ? 'executions' : 'file';
  return (
    <Page
      title={shown?.name ?? definitionsID}
      parent={{ label: 'Decisions', to: '..' }}
      place={shown && { name: shown.name ?? definitionsID, about: 'Decision' }}
      actions={shown && <EditLink definitionID={shown.id} />}
    >
      {shown === undefined ? (
        <Card>
          {versions.isPending ? (
            <Loading label="Loading the file" />
          ) : (
            <ErrorState
              error={versions.error ?? new Error('This file has no versions left')}
              retry={() => void versions.refetch()}
            />
          )}
        </Card>
      ) : (
        <>
          <div className={styles.version}>
            <SelectField
              label="Version"
              value={shown.version}
              onChange={({ target }) => address.set({ version: target.value })}
            >
              {all.map(({ id, version, createdAt }) => (
                <option key={id} value={version}>{`${version} (${dayOf(new Date(createdAt))})`}</option>
              ))}
            </SelectField>
          </div>
          <Tabs
            label="Parts of the file"
            tabs={[
              { id: 'file', label: 'Decisions' },
              { id: 'executions', label: 'Recorded evaluations' },
            ]}
            selected={tab}
            onSelect={(next) => address.set({ tab: next === 'file' ? undefined : next, page: undefined })}
          >
            {tab === 'file' ? <Version key={shown.id} definition={shown} /> : <Executions definitionID={shown.id} />}
          </Tabs>
        </>
      )}
    </Page>
  );
}

function EditLink({ definitionID }: { definitionID: string }) {
  const { id: projectID } = useProject();
  return (
    <Allowed role="editor">
      <ButtonLink icon="edit" to={modelerOf(projectID, ofDecisions(definitionID))}>
        Edit a copy
      </ButtonLink>
    </Allowed>
  );
}

/** A long list of versions has some without their XML. */
function Version({ definition }: { definition: Definition }) {
  const { id: projectID } = useProject();
  const read = useQuery({
    queryKey: [projectID, 'decision version', definition.id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/dmn/definitions/{definitionID}', {
          params: { path: { projectID, definitionID: definition.id } },
          signal,
        }),
      ),
    enabled: definition.xmlOmitted === true,
  });
  const whole = definition.xmlOmitted ? read.data : definition;
  if (whole) return <Content definition={whole} />;
  return read.isError ? (
    <ErrorState error={read.error} retry={() => void read.refetch()} />
  ) : (
    <Loading label="Loading the version" />
  );
}

function Content({ definition }: { definition: Definition }) {
  const [evaluated, setEvaluated] = useState<Evaluated>();
  const decisions = readDecisions(definition.xml);
  return (
    <div className={styles.content}>
      <Allowed role="executor">
        <Card title="Try it">
          <TestPane definitionID={definition.id} onEvaluated={setEvaluated} />
        </Card>
      </Allowed>
      {evaluated && (
        <Card title="Result">
          <Results evaluated={evaluated} />
        </Card>
      )}
      {decisions.map((decision) => (
        <Card key={decision.id} title={decision.name}>
          <DecisionView decision={decision} hitRules={evaluated?.hitRules.get(decision.id)} />
        </Card>
      ))}
      <details className={styles.xml}>
        <summary>XML</summary>
        <pre tabIndex={0}>{definition.xml}</pre>
      </details>
    </div>
  );
}
