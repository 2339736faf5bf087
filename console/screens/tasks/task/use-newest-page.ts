/** The page of a list in ascending order that opens at its end. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PageOf } from '../../../components/tables/paged-list.js';

/** The last page, until the user selects another. */
export function useNewestPage<Row>(
  queryKey: readonly unknown[],
  fetchPage: (page: number, signal: AbortSignal) => Promise<PageOf<Row>>,
  refetchInterval: number | false,
) {
  const [page, setPage] = useState<number>();
  const query = useQuery({
    queryKey: [...queryKey, page ?? 'newest'],
    queryFn: async ({ signal }) => {
      if (page !== undefined) return fetchPage(page, signal);
      const first = await fetchPage(1, signal);
      const { totalPages } = first.pagination;
      return totalPages > 1 ? fetchPage(totalPages, signal) : first;
    },
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  return { ...query, setPage };
}
