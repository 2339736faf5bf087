import { loadDiagram } from '../../features/diagram/load-diagram.js';
import type { Screen } from '../screen.js';
import { instanceQuery } from './instance-query.js';

export const instance: Screen = {
  path: 'instances/:workflowID',
  role: 'viewer',
  load: () => {
    // In parallel with the page, which needs it.
    void loadDiagram().catch(() => undefined);
    return import('./instance.js');
  },
  prefetch: (queries, { projectID = '', workflowID = '' }) =>
    queries.prefetchQuery(instanceQuery(projectID, workflowID)),
};
