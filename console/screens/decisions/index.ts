import type { Screen } from '../screen.js';

export const decisions: Screen = {
  path: 'decisions',
  role: 'viewer',
  navigation: { label: 'Decisions', icon: 'decision', group: 'Model' },
  load: () => import('./decisions.js'),
};

export const decisionFile: Screen = {
  path: 'decisions/:definitionsID',
  role: 'viewer',
  load: () => import('./decision-file.js'),
};
