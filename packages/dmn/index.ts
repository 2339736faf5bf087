/** DMN: reads and evaluates decision models, and returns the results. See docs/dmn.md. */
export { toJson } from '@perdure/feel/json.js';
export { answer, type EvaluationResult } from './answer.js';
export { callDecision, type Called } from './call.js';
export { compileModel, importedNamespaces, ownNamespace, type Compiled } from './compile/index.js';
export { LoadedModel, type DecisionError, type ElementResult, type Selection } from './evaluate/index.js';
export { InputError, readContext } from './inputs.js';
export type { Diagnostic } from '@perdure/lib/model-files/diagnostics.js';
export { loadModel, ModelCache, type StoredModel } from './stored.js';
export { summarizeDecisions, type DecisionSummary } from './summary.js';
