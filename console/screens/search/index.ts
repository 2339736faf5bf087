import type { Screen } from '../screen.js';

export const search: Screen = {
  path: 'search',
  role: 'viewer',
  navigation: { label: 'Search', icon: 'search', group: 'Operate' },
  load: () => import('./search.js'),
};
