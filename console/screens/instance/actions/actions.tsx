import { useState } from 'react';
import { Button } from '../../../components/basics/button.js';
import { useOfferedActions } from '../../../frame/palette/offered-actions.js';
import { useProject } from '../../../frame/project/project.js';
import { includesRole } from '../../../frame/project/roles.js';
import { useInstance } from '../use-instance.js';
import type { Action } from './action.js';
import { actions } from './index.js';

/** Buttons for the actions that the role may take now. */
export function Actions() {
  const { role } = useProject();
  const page = useInstance();
  const [open, setOpen] = useState<Action>();
  const offered = actions.filter((action) => includesRole(role, action.role) && action.isOffered(page.instance, page));
  useOfferedActions(offered.map((action) => ({ label: action.label, icon: action.icon, run: () => setOpen(action) })));
  return (
    <>
      {offered.map((action) => (
        <Button
          key={action.label}
          icon={action.icon}
          kind={action.isDangerous ? 'danger' : 'plain'}
          onClick={() => setOpen(action)}
        >
          {action.label}
        </Button>
      ))}
      {open && <open.Dialog onClose={() => setOpen(undefined)} />}
    </>
  );
}
