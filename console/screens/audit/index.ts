import type { Screen } from '../screen.js';

export const audit: Screen = {
  path: 'audit',
  role: 'admin',
  navigation: { label: 'Audit log', icon: 'audit', group: 'Administer' },
  load: () => import('./audit.js'),
};
