import type { Screen } from '../screen.js';

export const settings: Screen = {
  path: 'settings',
  role: 'admin',
  navigation: { label: 'Settings', icon: 'settings', group: 'Administer' },
  load: () => import('./settings.js'),
};
