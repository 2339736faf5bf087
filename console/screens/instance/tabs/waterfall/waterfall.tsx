/** The history of an instance on a time axis, with the instances that it called. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../../../components/basics/button.js';
import { ErrorState, Loading, StaleNote } from '../../../../components/feedback/states.js';
import { useDefinitionXml, useModel } from '../../../../features/diagram/use-definition.js';
import { instanceQuery, type InstanceState } from '../../instance-query.js';
import { useInstance } from '../../use-instance.js';
import { NoHistory } from '../history/no-history.js';
import { TimeAxis } from './axis.js';
import { axisOf, incidentsByElement, nest, type Axis } from './layout.js';
import { useHistory, useIncidents, type Entry } from './queries.js';
import { Row } from './row.js';
import styles from './waterfall.module.css';

/** More rows are slow to draw and hard to read; the table has all of them. */
const maxPages = 20;

export function Waterfall() {
  const { instance, nameOf } = useInstance();
  return (
    <div className={styles.waterfall}>
      <Activities instance={instance} nameOf={nameOf} depth={0} axis={undefined} />
    </div>
  );
}

interface ActivitiesProps {
  instance: InstanceState;
  nameOf(nodeID: string): string;
  /** How many call activities and scopes are around them. */
  depth: number;
  /** Of the calling instance; undefined for the instance of the page. */
  axis: Axis | undefined;
}

function Activities({ instance, nameOf, depth, axis: outer }: ActivitiesProps) {
  const { projectID, nodeID } = useInstance();
  const [pages, setPages] = useState(1);
  const history = useHistory(projectID, instance, pages);
  const incidents = useIncidents(projectID, instance);
  const { entries, total, isLoading, error, retry } = history;
  if (entries.length === 0) {
    if (error) return <ErrorState error={error} retry={retry} />;
    return isLoading ? <Loading label="Loading the waterfall" /> : <NoHistory instance={instance} />;
  }
  const axis = outer ?? axisOfInstance(instance, entries, history.updatedAtMs);
  const stops = incidentsByElement(incidents.data?.data ?? []);
  return (
    <>
      {error && <StaleNote error={error} since={history.updatedAtMs} />}
      {incidents.isError && <StaleNote error={incidents.error} since={incidents.dataUpdatedAt} />}
      {outer === undefined && <TimeAxis axis={axis} />}
      <ol
        className={styles.rows}
        aria-label={outer === undefined ? 'Waterfall' : `Called instance ${instance.workflowID}`}
      >
        {nest(entries).map((nested) => (
          <Row
            key={nested.activity.elementInstanceID}
            nested={nested}
            depth={depth}
            chart={{ axis, stops, nameOf, selected: outer === undefined ? nodeID : undefined, Called: CalledInstance }}
          />
        ))}
      </ol>
      <Shown
        shown={entries.length}
        total={total}
        incidents={incidents.data?.pagination.total ?? 0}
        markedIncidents={incidents.data?.data.length ?? 0}
        isLoading={isLoading}
        onMore={pages < maxPages ? () => setPages(pages + 1) : undefined}
        isOuter={outer === undefined}
      />
    </>
  );
}

/** From the start of the instance to its end, or to the latest time that is known. */
function axisOfInstance(
  { createdAt, completedAt }: InstanceState,
  entries: readonly Entry[],
  updatedAtMs: number,
): Axis {
  const latest = entries.reduce((most, { startTime }) => Math.max(most, Date.parse(startTime)), updatedAtMs);
  return axisOf(Date.parse(createdAt), completedAt === undefined ? undefined : Date.parse(completedAt), latest);
}

interface ShownProps {
  shown: number;
  total: number;
  incidents: number;
  markedIncidents: number;
  isLoading: boolean;
  /** Undefined at the limit. */
  onMore: (() => void) | undefined;
  /** Whether this is the instance of the page, which always says how many are shown. */
  isOuter: boolean;
}

function Shown({ shown, total, incidents, markedIncidents, isLoading, onMore, isOuter }: ShownProps) {
  const hasMore = shown < total;
  if (!hasMore && !isOuter && incidents === markedIncidents) return null;
  const number = (count: number) => count.toLocaleString('en');
  return (
    <div className={styles.shown}>
      <span role="status">
        {hasMore ? `The first ${number(shown)} of ${number(total)} activations` : `All ${number(total)} activations`}
        {hasMore && onMore === undefined && '. The table has all of them'}
        {incidents > markedIncidents &&
          `. Marks the newest ${number(markedIncidents)} of ${number(incidents)} incidents`}
      </span>
      {hasMore && onMore && (
        <Button isBusy={isLoading} onClick={onMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

/** The waterfall of a called instance, on the axis of its caller. It is loaded when it is opened. */
function CalledInstance({ workflowID, depth, axis }: { workflowID: string; depth: number; axis: Axis }) {
  const { projectID } = useInstance();
  const { data, error, isError, refetch } = useQuery(instanceQuery(projectID, workflowID));
  const model = useModel(useDefinitionXml(data?.definitionID).data);
  if (data === undefined)
    return isError ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading lines={2} label="Loading the called instance" />
    );
  return (
    <>
      <p className={styles.called}>
        {data.processName ?? data.processId} v{data.processVersion} ·{' '}
        <Link to={`../instances/${encodeURIComponent(workflowID)}?view=waterfall`}>Open the instance</Link>
      </p>
      <Activities instance={data} nameOf={(id) => model.names.get(id) ?? id} depth={depth} axis={axis} />
    </>
  );
}
