import type { ComponentType } from 'react';
import type { IconName } from '../../../components/basics/icon.js';
import type { ProjectRole } from '../../../frame/project/roles.js';
import type { InstanceState } from '../instance-query.js';
import type { InstanceOnPage } from '../use-instance.js';

/** An action on the whole instance: a button in its header that opens a dialog. */
export interface Action {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  /** The minimum role that the API requires. */
  readonly role: ProjectRole;
  /** Whether the action makes sense now. Roles are checked elsewhere. */
  isOffered(instance: InstanceState, page: InstanceOnPage): boolean;
  /** Mounted while it is open; it finds the instance with `useInstance()`. */
  readonly Dialog: ComponentType<{ onClose(): void }>;
}
