/** A paged list of a project: queried, refreshed, and shown in each of its states. The address has the page number. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLiveQuery, type EventSubject } from '../../frame/events/project-events.js';
import { atPage, pageNumber, useAddress } from '../../frame/layout/use-address.js';
import { Pager } from './pager.js';
import { EmptyState, ErrorState, Loading, StaleNote } from '../feedback/states.js';
import { Table } from './table.js';
import type { Column, Sorting } from './table.js';

/** A page as the API returns it. */
export interface PageOf<Row> {
  data: Row[];
  pagination: { page: number; pageSize: number; total: number; totalPages: number; isTotalEstimate?: true };
}

interface PagedListProps<Row, Page extends PageOf<Row>> {
  /** In the plural, as used in sentences: `incidents`. */
  noun: string;
  /** Starts with the project's id and has everything that narrows the list. */
  queryKey: readonly [projectID: string, noun: string, ...filters: unknown[]];
  fetchPage(query: { page: number; pageSize: number }, signal: AbortSignal): Promise<Page>;
  /** Milliseconds between refreshes (default false: never). */
  refreshEveryMs?: number | false;
  /** Events that change the list and refresh it. */
  changesWith?: readonly EventSubject[];
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  sorting?: Sorting;
  /** The group of a row. The list is sorted so that the rows of a group follow each other. */
  groupOf?(row: Row): string;
  /** The parameter of the address with the page number (default `page`), for the second list of a screen. */
  pageParameter?: string;
  /** Shown above a list that is not empty. */
  summary?(page: Page): ReactNode;
  /** Shown instead of an empty list. */
  empty: ReactNode;
}

const pageSize = 50;
const noEvents: readonly EventSubject[] = [];

export function PagedList<Row, Page extends PageOf<Row> = PageOf<Row>>({
  noun,
  queryKey,
  fetchPage,
  refreshEveryMs = false,
  changesWith = noEvents,
  columns,
  rowKey,
  sorting,
  groupOf,
  pageParameter = 'page',
  summary,
  empty,
}: PagedListProps<Row, Page>) {
  const address = useAddress();
  const page = pageNumber(address, pageParameter);
  const refetchInterval = useLiveQuery([queryKey[0], queryKey[1]], changesWith, refreshEveryMs);
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
    queryKey: [...queryKey, page],
    queryFn: ({ signal }) => fetchPage({ page, pageSize }, signal),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  if (data === undefined)
    return isError ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading lines={10} label={`Loading ${noun}`} />
    );
  return (
    <>
      {isError && <StaleNote error={error} since={dataUpdatedAt} />}
      {data.pagination.total > 0 && summary?.(data)}
      {data.data.length > 0 ? (
        <Table
          label={capitalized(noun)}
          columns={columns}
          rows={data.data}
          rowKey={rowKey}
          sorting={sorting}
          groupOf={groupOf}
        />
      ) : page > 1 ? (
        <EmptyState title={`No ${noun} on this page`}>The list became shorter. Go to an earlier page.</EmptyState>
      ) : (
        empty
      )}
      {data.pagination.total > 0 && (
        <Pager noun={noun} pagination={data.pagination} onPage={(next) => address.set(atPage(next, pageParameter))} />
      )}
    </>
  );
}

function capitalized(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}
