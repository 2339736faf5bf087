import { loadDiagram } from '../../features/diagram/load-diagram.js';
import type { Screen } from '../screen.js';

/** `?with=` names the resource to compare with. */
export const compare: Screen = {
  path: 'compare/:resourceID',
  role: 'viewer',
  load: () => {
    void loadDiagram().catch(() => undefined);
    return import('./compare.js');
  },
};
