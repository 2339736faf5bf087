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
 * The SDK (1.24, seen) writes a stack trace for every promise, each frame looked up in the source map, so that Temporal's
 * query for stack traces can tell what a workflow waits for: a fifth of the CPU of the thread that runs instances. Where an
 * instance waits its own state tells. Errors keep their stack traces, with lines of the bundle.
 */
const cheapStackTraces =
  "Error.prepareStackTrace = (error, frames) => frames[0]?.getFileName()?.endsWith('vm-shared.js') ? '' : error + frames.map((frame) => '\\n    at ' + frame).join('');";

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
  writeFileSync(draft, `${constants} ${cheapStackTraces} ${code}`);
  renameSync(draft, file);
}

/** The bundler reports sizes and module lists; only what has gone wrong is worth reading. */
function quietLogger(): Logger {
  const silent = () => undefined;
  const loud = (message: string) => process.stderr.write(`${message}\n`);
  return { log: silent, trace: silent, debug: silent, info: silent, warn: loud, error: loud };
}
