/** The code that runs inside Temporal's sandbox, bundled out of compiled workflows. */
import { renameSync, writeFileSync } from 'node:fs';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';

/**
 * Each read of a global inside the sandbox costs about 150 ns, because it passes through Node's interceptors; a
 * constant costs nothing. These never differ between workflows. Date, Promise, timers and WeakRef stay globals: the
 * SDK puts its own in their place after this line has run.
 */
const pureGlobals = [
  'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Error', 'EvalError', 'Float32Array',
  'Float64Array', 'Int16Array', 'Int32Array', 'Int8Array', 'Intl', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Proxy', 'RangeError',
  'ReferenceError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array',
  'Uint8Array', 'Uint8ClampedArray', 'WeakMap', 'WeakSet', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent',
  'isFinite', 'isNaN', 'parseFloat', 'parseInt',
];

/**
 * For every promise that a workflow makes, the SDK (1.24, seen) asks `promise.constructor.constructor` to compile code that
 * finds the workflow, and to make an error whose stack trace answers Temporal's query for what a workflow waits for: a
 * quarter of the CPU of the thread that runs instances. Here that constructor answers without compiling, with an error that
 * has no stack trace. What an instance waits for its rows tell; errors of ours keep theirs.
 */
const promisesWithoutStackTraces = `
  const promiseSources = {
    'return globalThis.__TEMPORAL_ACTIVATOR__': () => globalThis.__TEMPORAL_ACTIVATOR__,
    'return globalThis.Error': () => class {},
  };
  Object.defineProperty(Promise, 'constructor', { value: (...source) => promiseSources[source[0]] ?? Function(...source) });
`.replaceAll('\n', ' ');

/**
 * Bundles `entry`, a compiled module that exports workflows, into `file`.
 * @param entry absolute path
 * @param file absolute path; replaced in one go
 */
export async function bundleWorkflows(entry: string, file: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    // By path, not by package name: that would load another copy. What the entry imports is loaded once with it,
    // instead of once for each workflow.
    preloadModules: [entry],
    logger: quietLogger(),
  });
  const draft = `${file}.draft`;
  // On the first line of the bundle, so that the line numbers of its source map stay right.
  const constants = pureGlobals.map((name) => `const ${name} = globalThis.${name};`).join(' ');
  writeFileSync(draft, `${constants} ${promisesWithoutStackTraces} ${code}`);
  renameSync(draft, file);
}

/** The bundler reports sizes and module lists; only what has gone wrong is worth reading. */
function quietLogger(): Logger {
  const silent = () => undefined;
  const loud = (message: string) => process.stderr.write(`${message}\n`);
  return { log: silent, trace: silent, debug: silent, info: silent, warn: loud, error: loud };
}
