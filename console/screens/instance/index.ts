import { loadDiagram } from '../../diagram/load-diagram.js';
import type { Screen } from '../screen.js';
import { instanceQuery } from './instance-query.js';

export const instance: Screen = {
  path: 'instances/:workflowID',
  role: 'viewer',
  load: () => {
    // Beside the page, which cannot do without it.
    void loadDiagram().catch(() => undefined);
    return import('./instance.js');
  },
  prefetch: (queries, { projectID = '', workflowID = '' }) => queries.prefetchQuery(instanceQuery(projectID, workflowID)),
};
