import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Params } from 'react-router';
import type { IconName } from '../components/basics/icon.js';
import type { ProjectRole } from '../frame/project/roles.js';

/** One screen of a project. It is loaded when it is first shown. */
export interface Screen {
  /** Below `/projects/{projectID}/`, in the pattern language of react-router: `instances/:workflowID`. */
  readonly path: string;
  /** The minimum role for its operations; users below it do not see the screen. */
  readonly role: ProjectRole;
  /** Its entry in the navigation; undefined if only other screens link to it. */
  readonly navigation?: {
    readonly label: string;
    readonly icon: IconName;
    readonly group: NavigationGroup;
    /** Paths of other screens that this entry leads to. It is marked while one of them is shown. */
    readonly covers?: readonly string[];
  };
  load(): Promise<{ default: ComponentType }>;
  /** Fetches the first data of the screen. When the console opens with this screen, it runs before the first render. */
  prefetch?(queries: QueryClient, names: Params, search: URLSearchParams): Promise<void>;
}

export const navigationGroups = ['Operate', 'Model', 'Administer'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];
