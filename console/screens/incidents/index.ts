import type { Screen } from '../screen.js';

export const incidents: Screen = {
  path: 'incidents',
  role: 'viewer',
  navigation: { label: 'Incidents', icon: 'alert', group: 'Operate' },
  load: () => import('./incidents.js'),
};
