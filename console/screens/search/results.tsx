import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';
import { IncidentBadge, StatusBadge } from '../../components/values/badge.js';
import { Banner } from '../../components/feedback/banner.js';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { useClock } from '../../components/values/clock.js';
import { Identifier } from '../../components/values/identifier.js';
import { EmptyState, sentenceOf } from '../../components/feedback/states.js';
import { Table } from '../../components/tables/table.js';
import type { Column } from '../../components/tables/table.js';
import { Time } from '../../components/values/time.js';
import { useProject } from '../../frame/project/project.js';
import styles from './search.module.css';

type ResultPage = Schemas['BpmnInstanceSearchResponse'];
type Match = Schemas['BpmnInstanceSearchMatch'];

export interface Question {
  definitionID: string;
  predicate: string;
  status: Match['status'] | undefined;
  hasIncident: boolean | undefined;
  businessId: string | undefined;
  createdAfter: string | undefined;
}

const matchesOfPage = 50;
/** Maximum number of shown characters per variable. The page of the instance shows all. */
const lettersShown = 200;

const columns: readonly Column<Match>[] = [
  {
    title: 'Instance',
    width: '22rem',
    cell: ({ workflowID }) => (
      <Identifier
        value={workflowID}
        wrap={(text) => <Link to={`../instances/${encodeURIComponent(workflowID)}`}>{text}</Link>}
      />
    ),
  },
  { title: 'Business id', width: '12rem', cell: ({ businessId }) => businessId },
  {
    title: 'Variables in the condition',
    cell: ({ variables }) => (
      <code className={styles.variables}>
        {Object.entries(variables)
          .map(([name, value]) => `${name}: ${beginningOf(JSON.stringify(value))}`)
          .join(', ')}
      </code>
    ),
  },
  {
    title: 'Status',
    width: '13rem',
    cell: ({ status, hasIncident }) => (
      <span className={styles.marks}>
        <StatusBadge status={status} />
        {hasIncident && <IncidentBadge />}
      </span>
    ),
  },
  { title: 'Started', width: '7rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Captured', width: '7rem', cell: ({ capturedAt }) => <Time value={capturedAt} /> },
];

/** Scans page by page, as far as the user wants; earlier matches stay as they were. */
export function Results({ question }: { question: Question }) {
  const { id: projectID } = useProject();
  const queries = useQueryClient();
  const queryKey = [projectID, 'search', question];
  const search = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.POST('/projects/{projectID}/bpmn/instances/search', {
          params: { path: { projectID } },
          body: { ...question, limit: matchesOfPage, ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const pages = search.data?.pages ?? [];
  const matches = pages.flatMap((page) => page.matches);
  if (search.isError && pages.length === 0)
    return (
      <Banner tone="red" icon="alert" title="Invalid condition.">
        {sentenceOf(search.error)}
      </Banner>
    );
  return (
    <Card>
      <div className={styles.summary} role="status" aria-busy={search.isFetching}>
        <Totals pages={pages} />
        {search.isFetching ? (
          <Scanning onStop={() => void queries.cancelQueries({ queryKey })} />
        ) : (
          <ScanEnd pages={pages} onContinue={search.hasNextPage ? () => void search.fetchNextPage() : undefined} />
        )}
      </div>
      {search.isError && (
        <Banner tone="red" icon="alert" title="The scan has stopped.">
          {sentenceOf(search.error)}
        </Banner>
      )}
      {matches.length > 0 && (
        <Table label="Matches" columns={columns} rows={matches} rowKey={({ workflowID }) => workflowID} />
      )}
      {pages.length > 0 && matches.length === 0 && (
        <NoMatches isComplete={!search.hasNextPage} hasErrors={totalOf(pages, 'predicateErrors') > 0} />
      )}
    </Card>
  );
}

function totalOf(pages: readonly ResultPage[], count: 'scanned' | 'evaluated' | 'predicateErrors'): number {
  return pages.reduce((sum, page) => sum + page[count], 0);
}

/** The numbers of instances that match, were scanned, and could not be evaluated. */
function Totals({ pages }: { pages: readonly ResultPage[] }) {
  const matches = pages.reduce((sum, page) => sum + page.matches.length, 0);
  const errors = totalOf(pages, 'predicateErrors');
  const firstError = pages.find(({ firstPredicateError }) => firstPredicateError !== undefined)?.firstPredicateError;
  return (
    <>
      <span>
        <strong>{matches.toLocaleString('en')}</strong> {matches === 1 ? 'match' : 'matches'}
      </span>
      <span>
        <strong>{totalOf(pages, 'scanned').toLocaleString('en')}</strong> scanned
      </span>
      <span>
        <strong>{totalOf(pages, 'evaluated').toLocaleString('en')}</strong> evaluated
      </span>
      {errors > 0 && (
        <span className={styles.errors} title={firstError}>
          <strong>{errors.toLocaleString('en')}</strong> with errors: {firstError}
        </span>
      )}
    </>
  );
}

function Scanning({ onStop }: { onStop(): void }) {
  return (
    <span className={styles.end}>
      <progress aria-label="Scanning" /> <Elapsed />
      <Button icon="close" onClick={onStop}>
        Stop
      </Button>
    </span>
  );
}

/** @param onContinue undefined after the last page */
function ScanEnd({ pages, onContinue }: { pages: readonly ResultPage[]; onContinue: (() => void) | undefined }) {
  return (
    <span className={styles.end}>
      {pages.length === 0
        ? 'Stopped before the first result'
        : onContinue === undefined
          ? 'All instances scanned'
          : pages.at(-1)!.deadlineHit
            ? 'Stopped at the time limit'
            : 'More instances to scan'}
      {onContinue && <Button onClick={onContinue}>Continue the scan</Button>}
    </span>
  );
}

function NoMatches({ isComplete, hasErrors }: { isComplete: boolean; hasErrors: boolean }) {
  return (
    <EmptyState title="No matches so far" icon="search">
      {!isComplete
        ? 'Not all instances have been scanned. Continue the scan to see more.'
        : hasErrors
          ? 'Some instances could not be evaluated. Check the condition and the names of its variables.'
          : 'The condition is not true for any instance.'}
    </EmptyState>
  );
}

function beginningOf(text: string): string {
  return text.length > lettersShown ? `${text.slice(0, lettersShown)}…` : text;
}

/** Seconds since the scan started. */
function Elapsed() {
  const [began] = useState(Date.now);
  const seconds = useClock((now) => Math.max(0, Math.round((now - began) / 1_000)));
  return <span>{seconds} s</span>;
}
