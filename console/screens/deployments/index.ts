import type { Screen } from '../screen.js';

export const deployments: Screen = {
  path: 'deployments',
  role: 'viewer',
  navigation: {
    label: 'Deployments',
    icon: 'deploy',
    group: 'Model',
    covers: ['deploy', 'element-templates', 'modeler', 'compare'],
  },
  load: () => import('./deployments.js'),
};

export const deployment: Screen = {
  path: 'deployments/:deploymentID',
  role: 'viewer',
  load: () => import('./deployment.js'),
};

export const elementTemplates: Screen = {
  path: 'element-templates',
  role: 'viewer',
  load: () => import('./templates.js'),
};
