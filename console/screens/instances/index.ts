import type { Screen } from '../screen.js';

export const instances: Screen = {
  path: 'instances',
  role: 'viewer',
  navigation: { label: 'Instances', icon: 'instances', group: 'Operate' },
  load: () => import('./instances.js'),
};
