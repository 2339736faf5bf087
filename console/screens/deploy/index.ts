import type { Screen } from '../screen.js';

export const deploy: Screen = {
  path: 'deploy',
  role: 'editor',
  load: () => import('./deploy.js'),
};
