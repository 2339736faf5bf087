import type { Screen } from '../screen.js';

export const hooks: Screen = {
  path: 'hooks',
  role: 'editor',
  navigation: {
    label: 'Integrations',
    icon: 'integrations',
    group: 'Administer',
    covers: ['event-subscriptions', 'secrets'],
  },
  load: () => import('./hooks.js'),
};

export const hook: Screen = {
  path: 'hooks/:hookID',
  role: 'editor',
  load: () => import('./hook.js'),
};
