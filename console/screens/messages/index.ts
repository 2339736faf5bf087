import type { Screen } from '../screen.js';

export const messages: Screen = {
  path: 'messages',
  role: 'viewer',
  navigation: { label: 'Messages', icon: 'message', group: 'Operate' },
  load: () => import('./messages.js'),
};
