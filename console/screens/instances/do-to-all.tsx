/** Offers to do the same to every instance that the filters of the list select. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { NewBatchDialog } from '../../features/batches/new-batch.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed } from '../../frame/project/project.js';
import { isFiltered } from './filters.js';
import { filterOf } from './list-query.js';

export function DoToAll() {
  const filter = filterOf(useAddress());
  const [isOpen, setIsOpen] = useState(false);
  // Without a filter it would be the whole project. Batches leave tests out.
  if (!isFiltered(filter) || filter.isTest) return null;
  return (
    <Allowed role="editor">
      <Button onClick={() => setIsOpen(true)}>Do to all</Button>
      {isOpen && <NewBatchDialog filter={inJson(filter)} onClose={() => setIsOpen(false)} />}
    </Allowed>
  );
}

/** Batches take lists where the address has words with commas. */
function inJson({ status, ...filter }: ReturnType<typeof filterOf>) {
  return { ...filter, ...(status !== undefined && { status: status.split(',') as 'RUNNING'[] }) };
}
