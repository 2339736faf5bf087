import type { Screen } from '../screen.js';

export const forms: Screen = {
  path: 'forms',
  role: 'viewer',
  navigation: { label: 'Forms', icon: 'form', group: 'Model' },
  load: () => import('./forms.js'),
};

export const form: Screen = {
  path: 'forms/:formID',
  role: 'viewer',
  load: () => import('./form.js'),
};
