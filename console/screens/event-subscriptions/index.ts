import type { Screen } from '../screen.js';

export const eventSubscriptions: Screen = {
  path: 'event-subscriptions',
  role: 'admin',
  load: () => import('./subscriptions.js'),
};

export const eventSubscription: Screen = {
  path: 'event-subscriptions/:subscriptionID',
  role: 'admin',
  load: () => import('./subscription.js'),
};
