import { projectStatistics } from '../../features/statistics/queries.js';
import type { Screen } from '../screen.js';

export const dashboard: Screen = {
  path: 'dashboard',
  role: 'viewer',
  navigation: { label: 'Dashboard', icon: 'dashboard', group: 'Operate' },
  load: () => import('./dashboard.js'),
  prefetch: (queries, { projectID = '' }) => queries.prefetchQuery(projectStatistics(projectID)),
};
