/** One version of a process: whether it is paused, and its diagram with what stands open at its nodes. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api } from '../../api/client.js';
import type { Schemas } from '../../api/client.js';
import { IncidentBadge } from '../../components/badge.js';
import { Banner } from '../../components/banner.js';
import { Card } from '../../components/card.js';
import { Facts } from '../../components/facts.js';
import { Identifier } from '../../components/identifier.js';
import { ErrorState, Loading } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { Diagram } from '../../diagram/diagram.js';
import { DiagramRoom } from '../../diagram/diagram-room.js';
import { useProject } from '../../project/project.js';
import { marksOf } from '../instance/marks.js';
import { useDefinitionXml } from '../instance/use-instance.js';
import styles from './processes.module.css';

const refreshEveryMs = 8_000;
/** Of more incidents, the newest are marked. */
const mostMarked = 100;

export function VersionOfProcess({ version: { id, processID, processName, version, createdAt, suspendedAt, suspendedBy, suspendReason } }: { version: Schemas['BpmnProcessDefinition'] }) {
  const xml = useDefinitionXml(id);
  const incidents = useOpenIncidents(id);
  const marks = useMemo(() => incidents && marksOf({ activeScopes: [], incidents: incidents.data }, false), [incidents]);
  const open = incidents?.pagination.total ?? 0;
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
          ['Open incidents', open > 0 ? <IncidentBadge key="incidents" count={open} /> : undefined],
          ['Deployed', <Time key="deployed" value={createdAt} isExact />],
        ]}
      />
      <Card title={`Version ${version}`}>
        <DiagramRoom>
          {xml.data && <Diagram xml={xml.data} marks={marks} label={`Diagram of ${processName || processID}, version ${version}`} />}
          {xml.isPending && <Loading lines={3} label="Loading the diagram" />}
          {xml.isError && <ErrorState error={xml.error} retry={() => void xml.refetch()} />}
        </DiagramRoom>
        {open > mostMarked && <p className={styles.note}>The marks count the newest {mostMarked} of {open.toLocaleString('en')} open incidents.</p>}
      </Card>
    </>
  );
}

/** Undefined until they are known: the diagram is worth showing without them. */
function useOpenIncidents(definitionID: string) {
  const { id: projectID } = useProject();
  const { data } = useQuery({
    queryKey: [projectID, 'definition', definitionID, 'open incidents'],
    queryFn: ({ signal }) => answerOf(api.GET('/projects/{projectID}/bpmn/incidents', { params: { path: { projectID }, query: { definitionID, status: 'open', pageSize: mostMarked } }, signal })),
    refetchInterval: refreshEveryMs,
  });
  return data;
}
