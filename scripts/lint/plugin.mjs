/** Lint rules of this repository; each file says what it is for. */
import { importDirection } from './import-direction.mjs';
import { noModuleState } from './no-module-state.mjs';

export default { meta: { name: 'perdure' }, rules: { 'import-direction': importDirection, 'no-module-state': noModuleState } };
