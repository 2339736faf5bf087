/** Offers to create a batch of all instances that match the filters of the list. */
import { useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { NewBatchDialog } from '../../features/batches/new-batch.js';
import { filterOf, inJson, isFiltered } from '../../features/filters/list-filter.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { Allowed } from '../../frame/project/project.js';
import { instanceList } from './list-query.js';

export function BatchOfMatches() {
  const filter = filterOf(instanceList, useAddress());
  const [isOpen, setIsOpen] = useState(false);
  // Without a filter, the batch would be the whole project. Batches leave tests out.
  if (!isFiltered(filter) || filter.isTest) return null;
  return (
    <Allowed role="editor">
      <Button onClick={() => setIsOpen(true)}>Create a batch</Button>
      {isOpen && <NewBatchDialog filter={inJson(instanceList, filter)} onClose={() => setIsOpen(false)} />}
    </Allowed>
  );
}
