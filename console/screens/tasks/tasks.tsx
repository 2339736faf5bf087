/**
 * The inbox: open user tasks by due date, those of the signed-in user, and for operators those of everyone. A wide
 * window shows the chosen task next to the list.
 */
import { useEffect, useRef, useState } from 'react';
import { useLocation, useParams } from 'react-router';
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
import { nextTask } from './next-task.js';
import { TaskPage } from './task/task.js';
import type { Task } from './task/task-query.js';
import styles from './tasks.module.css';
import { useInbox } from './use-inbox.js';
import { useIsWide } from './use-is-wide.js';

const mine = { id: 'mine', label: 'My tasks' };
const all = { id: 'all', label: 'All open' };
const shownFilters = ['nameContains', 'unassigned'] as const;

export default function Tasks() {
  const { executionKey } = useParams();
  const isWide = useIsWide();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  const keys = useRef<readonly string[]>([]);
  const keepKeys = useRef((shown: readonly string[]) => void (keys.current = shown)).current;
  const openHelp = useRef(() => setIsHelpOpen(true)).current;
  const pane = useRef<HTMLDivElement>(null);
  const { state } = useLocation() as { state: { isNext?: boolean } | null };
  const isNext = state?.isNext === true;
  // The control that ended the task before no longer exists.
  useEffect(() => {
    if (isNext) pane.current?.focus({ preventScroll: true });
  }, [isNext, executionKey]);
  useShortcuts(screen, openHelp);
  return (
    <div ref={screen}>
      {executionKey === undefined ? (
        <List onHelp={openHelp} onKeys={keepKeys} />
      ) : (
        <div className={isWide ? styles.sides : undefined}>
          {isWide && <Side executionKey={executionKey} onHelp={openHelp} onKeys={keepKeys} />}
          <div ref={pane} className={styles.pane} tabIndex={-1} role="group" aria-label="Task" data-pane>
            <TaskPage executionKey={executionKey} nextOf={(ended) => nextTask(keys.current, ended)} />
          </div>
        </div>
      )}
      {isHelpOpen && <ShortcutsDialog onClose={() => setIsHelpOpen(false)} />}
    </div>
  );
}

interface ListProps {
  onHelp(): void;
  onKeys(keys: readonly string[]): void;
}

/** The list next to the chosen task. Its filters are those of the whole list. */
function Side({ executionKey, onHelp, onKeys }: ListProps & { executionKey: string }) {
  const { isAll } = useInbox();
  return (
    <section className={styles.side} aria-label="Inbox">
      <header className={styles.sideHeader}>
        <h2>{(isAll ? all : mine).label}</h2>
        <Button kind="quiet" onClick={onHelp}>
          Shortcuts
        </Button>
      </header>
      <Inbox chosen={executionKey} onKeys={onKeys} />
    </section>
  );
}

function List({ onHelp, onKeys }: ListProps) {
  const address = useAddress();
  const { mayList, isAll } = useInbox();
  const [completing, setCompleting] = useState<Task>();
  return (
    <Page
      title="Tasks"
      actions={
        <Button kind="quiet" onClick={onHelp}>
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
          <ListFilters list={inboxLists[isAll ? 'all' : 'mine']} first={shownFilters}>
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
        <Card>
          <Inbox onComplete={setCompleting} onKeys={onKeys} />
        </Card>
      </Tabs>
      {completing && (
        <CompleteTaskDialog
          task={completing}
          name={completing.name ?? completing.nodeID}
          onClose={() => setCompleting(undefined)}
        />
      )}
    </Page>
  );
}
