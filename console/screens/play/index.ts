import { loadDiagram } from '../../features/diagram/load-diagram.js';
import type { Screen } from '../screen.js';

export const play: Screen = {
  path: 'play',
  role: 'viewer',
  load: () => {
    // In parallel with the page, which needs it.
    void loadDiagram().catch(() => undefined);
    return import('./play.js');
  },
};
