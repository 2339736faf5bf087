import type { Screen } from '../screen.js';

/** `new` instead of an id is a blank file. */
export const modeler: Screen = {
  path: 'modeler/:resourceID',
  role: 'editor',
  load: () => import('./modeler.js'),
};
