import type { Screen } from '../screen.js';

export const jobs: Screen = {
  path: 'jobs',
  role: 'viewer',
  navigation: { label: 'Jobs', icon: 'jobs', group: 'Operate' },
  load: () => import('./jobs.js'),
};
