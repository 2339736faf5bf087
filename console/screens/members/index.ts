import type { Screen } from '../screen.js';

export const members: Screen = {
  path: 'members',
  role: 'admin',
  navigation: { label: 'Members', icon: 'members', group: 'Administer' },
  load: () => import('./members.js'),
};
