import type { Screen } from '../screen.js';

export const tasks: Screen = {
  path: 'tasks',
  role: 'viewer',
  navigation: { label: 'Tasks', icon: 'tasks', group: 'Operate' },
  load: () => import('./tasks.js'),
};

export const task: Screen = {
  path: 'tasks/:executionKey',
  role: 'viewer',
  load: () => import('./tasks.js'),
};
