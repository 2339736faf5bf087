/** One version of a process: whether it is paused, and where its instances stand. */
import type { Schemas } from '../../frame/api/client.js';
import { IncidentBadge } from '../../components/badge.js';
import { Banner } from '../../components/banner.js';
import { Facts } from '../../components/facts.js';
import { Identifier } from '../../components/identifier.js';
import { Time } from '../../components/time.js';
import { useNodeCounts } from './use-node-counts.js';
import { ViewsOfVersion } from './views.js';

export function VersionOfProcess({ version: definition }: { version: Schemas['BpmnProcessDefinition'] }) {
  const { id, processID, version, createdAt, suspendedAt, suspendedBy, suspendReason } = definition;
  const open = (useNodeCounts(id).data?.nodes ?? []).reduce((sum, { openIncidents }) => sum + openIncidents, 0);
  return (
    <>
      {suspendedAt && (
        <Banner tone="amber" icon="pause" title={`Version ${version} is paused.`}>
          By {suspendedBy ?? 'unknown'}, <Time value={suspendedAt} />
          {suspendReason ? <>: “{suspendReason}”</> : '.'} Its instances are paused, and no new ones start, until it is
          resumed.
        </Banner>
      )}
      <Facts
        facts={[
          ['Process', <code key="process">{processID}</code>],
          ['Version', version],
          ['Definition', <Identifier key="definition" value={id} />],
          ['Open incidents', open > 0 ? <IncidentBadge key="incidents" count={open} /> : undefined],
          ['Deployed', <Time key="deployed" value={createdAt} isExact />],
        ]}
      />
      <ViewsOfVersion version={definition} />
    </>
  );
}
