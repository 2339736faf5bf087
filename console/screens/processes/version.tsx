/** One version of a process: its suspension, and its instances per node. */
import { IncidentBadge } from '../../components/values/badge.js';
import { Banner } from '../../components/feedback/banner.js';
import { Facts } from '../../components/values/facts.js';
import { Identifier } from '../../components/values/identifier.js';
import { Time } from '../../components/values/time.js';
import type { ShownVersion } from './shown-version.js';
import { StartTimers } from './start-timers.js';
import { useNodeCounts } from './use-node-counts.js';
import { ViewsOfVersion } from './views.js';

export function VersionOfProcess({ version: definition }: { version: ShownVersion }) {
  const { id, processID, version, createdAt, suspendedAt, suspendedBy, suspendReason } = definition;
  const { startsSuspension, scheduledSuspension } = definition;
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
      {startsSuspension && (
        <Banner tone="amber" icon="pause" title={`Version ${version} starts no new instances.`}>
          By {startsSuspension.suspendedBy ?? 'unknown'}, <Time value={startsSuspension.suspendedAt} />
          {startsSuspension.reason ? <>: “{startsSuspension.reason}”</> : '.'} Its running instances continue.
        </Banner>
      )}
      {scheduledSuspension && (
        <Banner
          tone="blue"
          icon="pause"
          title={`${scheduledSuspension.instances ? 'Version' : 'Starts of version'} ${version} will be suspended.`}
        >
          At <Time value={scheduledSuspension.at} isExact />, by {scheduledSuspension.scheduledBy}
          {scheduledSuspension.reason ? <>: “{scheduledSuspension.reason}”</> : '.'}
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
      <StartTimers definitionID={id} />
      <ViewsOfVersion version={definition} />
    </>
  );
}
