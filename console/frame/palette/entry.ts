import type { IconName } from '../../components/basics/icon.js';

/** The groups of the palette, in their order. What the browser knows comes first, because it is there at once. */
export const groups = ['Recent', 'Screens', 'Actions', 'Projects', 'Instances', 'Processes', 'Tasks'] as const;

export interface Entry {
  /** Unique in the palette: of a place, its path. */
  readonly key: string;
  readonly group: (typeof groups)[number];
  readonly icon: IconName;
  readonly label: string;
  readonly hint?: string | undefined;
  run(): void;
}
