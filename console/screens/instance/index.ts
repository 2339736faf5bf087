import type { Screen } from '../screen.js';

export const instance: Screen = {
  path: 'instances/:workflowID',
  role: 'viewer',
  load: () => import('./instance.js'),
};
