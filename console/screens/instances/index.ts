import type { Screen } from '../screen.js';
import { listQuery } from './list-query.js';

export const instances: Screen = {
  path: 'instances',
  role: 'viewer',
  navigation: { label: 'Instances', icon: 'instances', group: 'Operate' },
  load: () => import('./instances.js'),
  prefetch: (queries, { projectID = '' }, search) =>
    queries.prefetchQuery(listQuery(projectID, { get: (name) => search.get(name) || undefined })),
};
