import type { Screen } from '../screen.js';

export const batches: Screen = {
  path: 'batches',
  role: 'viewer',
  navigation: { label: 'Batches', icon: 'batches', group: 'Operate' },
  load: () => import('./batches.js'),
};

export const batch: Screen = {
  path: 'batches/:batchID',
  role: 'viewer',
  load: () => import('./batch.js'),
};
