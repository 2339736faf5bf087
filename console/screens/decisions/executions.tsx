/** Recorded evaluations of one version, with inputs and outputs. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { JsonSection } from '../../components/values/json-section.js';
import { PagedList } from '../../components/tables/paged-list.js';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/states.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useProject } from '../../frame/project/project.js';

type Execution = Schemas['Execution'];

export function Executions({ definitionID }: { definitionID: string }) {
  const { id: projectID } = useProject();
  const [opened, open] = useState<Execution>();
  const columns: readonly Column<Execution>[] = [
    { title: 'Evaluated', cell: ({ executedAt }) => <Time value={executedAt} /> },
    { title: 'Evaluated by', cell: ({ executedBy }) => executedBy },
    { title: 'Business id', cell: ({ businessId }) => businessId },
    { title: 'Values', width: '9rem', cell: (execution) => <Button onClick={() => open(execution)}>Show</Button> },
  ];
  return (
    <Card>
      <PagedList
        noun="evaluations"
        queryKey={[projectID, 'executions', definitionID]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/dmn/definitions/{definitionID}/executions', {
              params: { path: { projectID, definitionID }, query },
              signal,
            }),
          )
        }
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No recorded evaluations" icon="decision">
            This version has not been evaluated yet, or its evaluations have exceeded the retention period.
          </EmptyState>
        }
      />
      {opened && (
        <Dialog
          title="Recorded evaluation"
          isWide
          onClose={() => open(undefined)}
          footer={<Button onClick={() => open(undefined)}>Close</Button>}
        >
          <Values listed={opened} />
        </Dialog>
      )}
    </Card>
  );
}

/** A page with large values lists some evaluations without them. */
function Values({ listed }: { listed: Execution }) {
  const { id: projectID } = useProject();
  const read = useQuery({
    queryKey: [projectID, 'execution', listed.id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/dmn/executions/{executionID}', {
          params: { path: { projectID, executionID: listed.id } },
          signal,
        }),
      ),
    enabled: listed.valuesOmitted === true,
  });
  const whole = listed.valuesOmitted ? read.data : listed;
  if (whole === undefined)
    return read.isError ? (
      <ErrorState error={read.error} retry={() => void read.refetch()} />
    ) : (
      <Loading label="Loading the values" />
    );
  return (
    <>
      <JsonSection title="Inputs" value={whole.inputs} />
      <JsonSection title="Outputs" value={whole.outputs} />
    </>
  );
}
