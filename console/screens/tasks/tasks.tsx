/** The inbox: open user tasks by due date, those of the signed-in user, and for operators those of everyone. */
import { useRef, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { SelectField } from '../../components/fields/field.js';
import { Tabs } from '../../components/basics/tabs.js';
import { Page } from '../../frame/layout/page.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { ListFilters } from '../../features/filters/list-filters.js';
import { CompleteTaskDialog } from '../../features/tasks/complete-task-dialog.js';
import { Inbox } from './inbox.js';
import { ShortcutsDialog, useShortcuts } from './shortcuts.js';
import { inboxLists, isOverdue } from './task-filter.js';
import type { Task } from './task/task-query.js';
import styles from './tasks.module.css';
import { useInbox } from './use-inbox.js';

const mine = { id: 'mine', label: 'My tasks' };
const all = { id: 'all', label: 'All open' };
const shownFilters = ['nameContains', 'unassigned'] as const;

export default function Tasks() {
  const address = useAddress();
  const { mayList, isAll } = useInbox();
  const [completing, setCompleting] = useState<Task>();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const inboxList = inboxLists[isAll ? 'all' : 'mine'];
  const openHelp = useRef(() => setIsHelpOpen(true)).current;
  useShortcuts(list, openHelp);
  return (
    <Page
      title="Tasks"
      actions={
        <Button kind="quiet" onClick={openHelp}>
          Keyboard shortcuts
        </Button>
      }
    >
      <Tabs
        label="Tasks"
        tabs={mayList ? [mine, all] : [mine]}
        selected={isAll ? 'all' : 'mine'}
        onSelect={(id) => address.set({ view: id === 'all' ? 'all' : undefined, page: undefined })}
      >
        <div className={styles.filters}>
          <ListFilters list={inboxList} first={shownFilters}>
            <SelectField
              label="Due"
              value={isOverdue(address) ? 'overdue' : ''}
              onChange={({ target }) => address.set({ due: target.value, page: undefined })}
            >
              <option value="">Any</option>
              <option value="overdue">Overdue</option>
            </SelectField>
          </ListFilters>
        </div>
        <div ref={list}>
          <Card>
            <Inbox onComplete={setCompleting} />
          </Card>
        </div>
      </Tabs>
      {completing && (
        <CompleteTaskDialog
          task={completing}
          name={completing.name ?? completing.nodeID}
          onClose={() => setCompleting(undefined)}
        />
      )}
      {isHelpOpen && <ShortcutsDialog onClose={() => setIsHelpOpen(false)} />}
    </Page>
  );
}
