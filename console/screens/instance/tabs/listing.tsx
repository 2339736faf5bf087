/**
 * The common part of the lists of an instance: one page, refreshed while the instance runs, filtered by the selected
 * node.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../../components/basics/button.js';
import type { PageOf } from '../../../components/tables/paged-list.js';
import { Pager } from '../../../components/tables/pager.js';
import { ErrorState, Loading, StaleNote } from '../../../components/feedback/states.js';
import { Table } from '../../../components/tables/table.js';
import type { Column } from '../../../components/tables/table.js';
import { atPage, pageNumber, useAddress } from '../../../frame/layout/use-address.js';
import { useInstance } from '../use-instance.js';
import styles from './listing.module.css';

interface ListingProps<Row> {
  /** In the plural, as used in sentences: `jobs`. */
  noun: string;
  columns: readonly Column<Row>[];
  rowKey(row: Row): string;
  /** The nodes of a row. With a selected node, only its rows are shown. */
  nodesOf(row: Row): readonly string[];
  fetchPage(query: { page: number; pageSize: number }, signal: AbortSignal): Promise<PageOf<Row>>;
  /** The empty state of the tab, which says what the list would contain. */
  empty: ReactNode;
}

const pageSize = 50;

export function Listing<Row>({ noun, columns, rowKey, nodesOf, fetchPage, empty }: ListingProps<Row>) {
  const {
    projectID,
    instance: { workflowID },
    refetchInterval,
    nodeID,
    nameOf,
  } = useInstance();
  const address = useAddress();
  const page = pageNumber(address);
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
    queryKey: [projectID, 'instance', workflowID, noun, page],
    queryFn: ({ signal }) => fetchPage({ page, pageSize }, signal),
    refetchInterval,
    placeholderData: keepPreviousData,
  });
  if (data === undefined)
    return isError ? (
      <ErrorState error={error} retry={() => void refetch()} />
    ) : (
      <Loading label={`Loading the ${noun}`} />
    );
  const rows = nodeID === undefined ? data.data : data.data.filter((row) => nodesOf(row).includes(nodeID));
  const isPartOnly = data.pagination.totalPages > 1;
  return (
    <>
      {isError && <StaleNote error={error} since={dataUpdatedAt} />}
      {nodeID !== undefined && data.data.length > 0 && (
        <p className={styles.filter}>
          <span>
            Only those at <strong>{nameOf(nodeID)}</strong>
            {isPartOnly && ', on this page'}.
          </span>
          <Button kind="quiet" icon="close" onClick={() => address.set({ node: undefined })}>
            Show all
          </Button>
        </p>
      )}
      {rows.length > 0 ? (
        <Table label={noun} columns={columns} rows={rows} rowKey={rowKey} />
      ) : data.data.length === 0 ? (
        empty
      ) : (
        <p className={styles.none}>None on this page.</p>
      )}
      {data.pagination.total > pageSize && (
        <Pager noun={noun} pagination={data.pagination} onPage={(next) => address.set(atPage(next))} />
      )}
    </>
  );
}
