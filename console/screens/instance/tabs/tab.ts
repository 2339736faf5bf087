import type { ComponentType } from 'react';
import type { ProjectRole } from '../../../frame/project/roles.js';
import type { Model } from '../../../features/diagram/model.js';
import type { InstanceState } from '../instance-query.js';

/** One view of an instance, below its diagram. `useInstance()` returns the instance and the selected node. */
export interface InstanceTab {
  /** Its name in the address. */
  readonly id: string;
  readonly label: string;
  /** The minimum role that the API requires. */
  readonly role: ProjectRole;
  /** Whether the tab has something to show; without it, always. */
  isShown?(model: Model): boolean;
  /** Number of rows, or undefined if the state of the instance does not contain it. */
  count?(instance: InstanceState): number | undefined;
  /** Mounted while it is open. */
  readonly Content: ComponentType<TabProps>;
}

export interface TabProps {
  /** The variables at the shown step of the replay; undefined for the current state. */
  variablesOfStep: Readonly<Record<string, unknown>> | undefined;
  /** When the shown step of the replay was taken; undefined for the current state. */
  timeOfStep: string | undefined;
}
