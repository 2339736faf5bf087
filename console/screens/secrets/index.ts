import type { Screen } from '../screen.js';

export const secrets: Screen = {
  path: 'secrets',
  role: 'editor',
  load: () => import('./secrets.js'),
};
