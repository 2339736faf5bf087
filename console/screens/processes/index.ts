import type { Screen } from '../screen.js';

export const processes: Screen = {
  path: 'processes',
  role: 'viewer',
  navigation: { label: 'Processes', icon: 'processes', group: 'Model', covers: ['play'] },
  load: () => import('./processes.js'),
};

export const process: Screen = {
  path: 'processes/:processID',
  role: 'viewer',
  load: () => import('./process.js'),
};

export const start: Screen = {
  path: 'processes/:processID/start',
  role: 'executor',
  load: () => import('./start.js'),
};
