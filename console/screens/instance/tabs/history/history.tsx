import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../../../frame/api/client.js';
import type { Schemas } from '../../../../frame/api/client.js';
import { StatusBadge } from '../../../../components/values/badge.js';
import { Button } from '../../../../components/basics/button.js';
import { Segments } from '../../../../components/basics/segments.js';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { JsonSection } from '../../../../components/values/json-section.js';
import type { Column } from '../../../../components/tables/table.js';
import { formatDuration } from '../../../../components/values/format-duration.js';
import { Time } from '../../../../components/values/time.js';
import { useAddress } from '../../../../frame/layout/use-address.js';
import { useInstance } from '../../use-instance.js';
import styles from './history.module.css';
import { Listing } from '../listing.js';
import { NodeName } from '../node-name.js';
import { NoHistory } from './no-history.js';
import type { InstanceTab } from '../tab.js';
import { Waterfall } from '../waterfall/waterfall.js';

type Entry = Schemas['BpmnActivityState'];

export const history: InstanceTab = { id: 'history', label: 'History', role: 'viewer', Content: History };

const views = [
  { id: 'table', label: 'Table' },
  { id: 'waterfall', label: 'Waterfall' },
] as const;

function History() {
  const address = useAddress();
  const view = address.get('view') === 'waterfall' ? 'waterfall' : 'table';
  return (
    <>
      <div className={styles.views}>
        <Segments
          label="View of the history"
          options={views}
          selected={view}
          onSelect={(id) => address.set({ view: id === 'table' ? undefined : id, page: undefined })}
        />
      </div>
      <Origin />
      {view === 'waterfall' ? <Waterfall /> : <HistoryTable />}
    </>
  );
}

/** The history of an imported instance begins with its import. */
function Origin() {
  const { importedFrom } = useInstance().instance;
  return (
    importedFrom && (
      <p className={styles.origin}>
        Imported from {importedFrom.system} ({importedFrom.id})
      </p>
    )
  );
}

function HistoryTable() {
  const { projectID, instance, nameOf } = useInstance();
  const { workflowID } = instance;
  const [shown, setShown] = useState<Entry>();
  return (
    <>
      <Listing
        noun="activations"
        columns={columnsOf(setShown, nameOf)}
        rowKey={({ elementInstanceID }) => elementInstanceID}
        nodesOf={({ nodeID }) => [nodeID]}
        fetchPage={(query, signal) =>
          unwrap(
            api.GET('/projects/{projectID}/bpmn/instances/{workflowID}/history', {
              params: { path: { projectID, workflowID }, query },
              signal,
            }),
          )
        }
        empty={<NoHistory instance={instance} />}
      />
      {shown && (
        <Dialog title={nameOf(shown.nodeID)} isWide onClose={() => setShown(undefined)}>
          <JsonSection title="Inputs" value={shown.inputs} />
          <JsonSection title="Outputs" value={shown.outputs} />
        </Dialog>
      )}
    </>
  );
}

/** @param onShow shows the inputs and outputs of an entry */
function columnsOf(onShow: (entry: Entry) => void, nameOf: (nodeID: string) => string): readonly Column<Entry>[] {
  return [
    {
      title: 'Node',
      cell: ({ nodeID, loopCounter }) => (
        <NodeName nodeID={nodeID} note={loopCounter === undefined ? undefined : `iteration ${loopCounter}`} />
      ),
    },
    { title: 'Type', width: '13rem', cell: ({ nodeType }) => inWords(nodeType) },
    { title: 'Status', width: '8rem', cell: ({ status }) => <StatusBadge status={status} /> },
    { title: 'Started', width: '8rem', cell: ({ startTime }) => <Time value={startTime} /> },
    {
      title: 'Duration',
      width: '8rem',
      isNumber: true,
      cell: ({ durationMs }) => (durationMs === undefined ? 'Running' : formatDuration(durationMs)),
    },
    {
      title: 'Details',
      width: '12rem',
      cell: (entry) => (
        <>
          {(entry.inputs ?? entry.outputs) !== undefined && (
            <Button
              kind="quiet"
              onClick={() => onShow(entry)}
              aria-label={`Inputs and outputs of ${nameOf(entry.nodeID)}`}
            >
              Inputs and outputs
            </Button>
          )}
          {entry.variablesOmitted && 'Inputs and outputs are too large for this page'}
          {entry.childWorkflowID && (
            <Link to={`../instances/${encodeURIComponent(entry.childWorkflowID)}`}>Called instance</Link>
          )}
        </>
      ),
    },
  ];
}

/** `boundaryEvent` reads as "Boundary event". */
function inWords(nodeType: string): string {
  const words = nodeType.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
