/** One version of a process: whether it is paused, and its diagram. */
import { Banner } from '../../components/banner.js';
import { Card } from '../../components/card.js';
import { Facts } from '../../components/facts.js';
import { Identifier } from '../../components/identifier.js';
import { ErrorState, Loading } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { Diagram } from '../../diagram/diagram.js';
import { DiagramRoom } from '../../diagram/diagram-room.js';
import type { Schemas } from '../../api/client.js';
import { useDefinitionXml } from '../instance/use-instance.js';

export function VersionOfProcess({ version: { id, processID, processName, version, createdAt, suspendedAt, suspendedBy, suspendReason } }: { version: Schemas['BpmnProcessDefinition'] }) {
  const xml = useDefinitionXml(id);
  return (
    <>
      {suspendedAt && (
        <Banner tone="amber" icon="pause" title={`Version ${version} is paused.`}>
          By {suspendedBy ?? 'somebody unknown'}, <Time value={suspendedAt} />{suspendReason ? <>: “{suspendReason}”</> : '.'} Its instances stand still, and no new ones start, until it is resumed.
        </Banner>
      )}
      <Facts
        facts={[
          ['Process', <code key="process">{processID}</code>],
          ['Version', version],
          ['Definition', <Identifier key="definition" value={id} />],
          ['Deployed', <Time key="deployed" value={createdAt} isExact />],
        ]}
      />
      <Card title={`Version ${version}`}>
        <DiagramRoom>
          {xml.data && <Diagram xml={xml.data} label={`Diagram of ${processName || processID}, version ${version}`} />}
          {xml.isPending && <Loading lines={3} label="Loading the diagram" />}
          {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
        </DiagramRoom>
      </Card>
    </>
  );
}
