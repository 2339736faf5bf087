/** All data of one entry of the audit log. */
import { Button } from '../../components/basics/button.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { Facts } from '../../components/values/facts.js';
import { Identifier } from '../../components/values/identifier.js';
import { OutcomeBadge } from '../../components/values/outcome-badge.js';
import { Time } from '../../components/values/time.js';
import { DetailsOf } from './details-of.js';
import { actorOf, batchPage, instancePage, Linked, type Entry } from './entry.js';
import { inWords } from './operations.js';

const ids = [
  ['Process', 'processId'],
  ['Definition', 'definitionID'],
  ['Resource', 'resourceID'],
  ['Deployment', 'deploymentID'],
  ['Job or task', 'executionKey'],
  ['Incident', 'incidentID'],
  ['Message or signal', 'publicationID'],
  ['Hook', 'hookID'],
  ['Event subscription', 'subscriptionID'],
  ['Member', 'subject'],
  ['Request', 'requestID'],
  ['Request id of the caller', 'clientRequestID'],
] as const satisfies readonly (readonly [string, keyof Entry])[];

export function EntryDialog({ entry, onClose }: { entry: Entry; onClose(): void }) {
  const { operation, time, outcome, code, reason, names, details = {}, workflowID, batchID } = entry;
  return (
    <Dialog title={inWords(operation)} isWide onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <Facts
        facts={[
          ['Who', actorOf(entry)],
          ['When', <Time key="when" value={time} isExact />],
          ['Reason', reason],
          ['Outcome', <OutcomeBadge key="outcome" outcome={outcome} title={code} />],
          ['Code', code],
          ['Operation', <code key="operation">{operation}</code>],
          ['Variables or settings', names?.join(', ')],
          ['Instance', workflowID && <Linked key="instance" id={workflowID} to={instancePage(workflowID)} />],
          ['Batch', batchID && <Linked key="batch" id={batchID} to={batchPage(batchID)} />],
          ...ids.map(([name, id]) => [name, entry[id] && <Identifier key={id} value={entry[id]} />] as const),
        ]}
      />
      <DetailsOf details={details} />
    </Dialog>
  );
}
