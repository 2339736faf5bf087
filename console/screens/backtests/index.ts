import type { Screen } from '../screen.js';

export const backtests: Screen = {
  path: 'backtests',
  role: 'viewer',
  navigation: { label: 'Backtests', icon: 'backtests', group: 'Model' },
  load: () => import('./backtests.js'),
};

export const backtest: Screen = {
  path: 'backtests/:backtestID',
  role: 'viewer',
  load: () => import('./backtest.js'),
};

export const backtestRuns: Screen = {
  path: 'backtests/:backtestID/:workflowID',
  role: 'viewer',
  load: () => import('./runs.js'),
};
