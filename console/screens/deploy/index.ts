import type { Screen } from '../screen.js';

export const deploy: Screen = {
  path: 'deploy',
  role: 'editor',
  navigation: { label: 'Deploy', icon: 'deploy', group: 'Model' },
  load: () => import('./deploy.js'),
};
