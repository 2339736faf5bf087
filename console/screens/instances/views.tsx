/** Shows, saves, renames, and deletes views of the list. */
import { useState } from 'react';
import { Button, IconButton } from '../../components/basics/button.js';
import { TextField } from '../../components/fields/field.js';
import { opener } from '../../components/popups/menu.js';
import { Popover } from '../../components/popups/popover.js';
import { useStored } from '../../frame/layout/use-stored.js';
import { useAddress } from '../../frame/layout/use-address.js';
import { useProject } from '../../frame/project/project.js';
import styles from './instances.module.css';
import { instanceList } from './list-query.js';
import { readViews, renamed, showing, viewQuery, withView, type SavedView } from './saved-views.js';

const names = [...instanceList.filters.map(({ name }) => name), 'sort', 'order', 'columns'];

/** @param columns of the list, as the address has them */
export function Views({ columns }: { columns: string }) {
  const { id: projectID } = useProject();
  const address = useAddress();
  const [stored, store] = useStored(`perdure.views.instances.${projectID}`);
  const [isOpen, setIsOpen] = useState(false);
  const views = readViews(stored ?? null);
  const save = (next: readonly SavedView[]) => store(next.length === 0 ? undefined : JSON.stringify(next));
  const query = viewQuery(names, (name) => (name === 'columns' ? columns : address.get(name)));
  return (
    <Popover label="Views" button={opener('Views', 'batches')} isOpen={isOpen} onOpenChange={setIsOpen}>
      {views.length > 0 && (
        <ul className={styles.views} aria-label="Saved views">
          {views.map((view) => (
            <ViewItem
              key={view.name}
              view={view}
              isShown={view.query === query}
              onShow={() => {
                address.set(showing(names, view));
                setIsOpen(false);
              }}
              onRename={(name) => save(renamed(views, view.name, name))}
              onDelete={() => save(views.filter((one) => one !== view))}
            />
          ))}
        </ul>
      )}
      <NameForm label="Name of a new view" action="Save" onName={(name) => save(withView(views, { name, query }))} />
    </Popover>
  );
}

interface ViewItemProps {
  view: SavedView;
  isShown: boolean;
  onShow(): void;
  onRename(name: string): void;
  onDelete(): void;
}

function ViewItem({ view: { name }, isShown, onShow, onRename, onDelete }: ViewItemProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  return (
    <li className={styles.view}>
      {isRenaming ? (
        <NameForm label={`New name of ${name}`} action="Rename" initial={name} onName={onRename} />
      ) : (
        <>
          <Button
            kind="quiet"
            icon={isShown ? 'check' : undefined}
            aria-current={isShown || undefined}
            className={styles.viewName}
            onClick={onShow}
          >
            {name}
          </Button>
          <IconButton icon="edit" label={`Rename ${name}`} onClick={() => setIsRenaming(true)} />
          <IconButton icon="close" label={`Delete ${name}`} onClick={onDelete} />
        </>
      )}
    </li>
  );
}

interface NameFormProps {
  label: string;
  action: string;
  initial?: string;
  onName(name: string): void;
}

function NameForm({ label, action, initial = '', onName }: NameFormProps) {
  const [name, setName] = useState(initial);
  return (
    <form
      className={styles.naming}
      onSubmit={(event) => {
        event.preventDefault();
        onName(name.trim());
        setName('');
      }}
    >
      <TextField
        label={label}
        value={name}
        required
        pattern=".*\S.*"
        maxLength={80}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit">{action}</Button>
    </form>
  );
}
