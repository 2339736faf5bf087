/** Lint rules of this repository; each file documents its rule. */
import { importDirection } from './import-direction.mjs';
import { linearPatterns } from './linear-patterns.mjs';
import { noModuleState } from './no-module-state.mjs';
import { noRunTimes } from './no-run-times.mjs';
import { words } from './words.mjs';

export default {
  meta: { name: 'perdure' },
  rules: {
    'import-direction': importDirection,
    'linear-patterns': linearPatterns,
    'no-module-state': noModuleState,
    'no-run-times': noRunTimes,
    words,
  },
};
