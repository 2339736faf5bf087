/** Bundles compiled workflows into the code that runs in Temporal's sandbox. */
import { renameSync, writeFileSync } from 'node:fs';
import { bundleWorkflowCode, type BundleOptions, type Logger } from '@temporalio/worker';

/**
 * Each access to a global inside the sandbox costs about 150 ns, because it passes through Node's interceptors; a
 * constant costs nothing. These globals never differ between workflows. Date, Promise, timers, and WeakRef stay
 * globals: the SDK replaces them after this line has run.
 */
const pureGlobals = [
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Error',
  'EvalError',
  'Float32Array',
  'Float64Array',
  'Function',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Intl',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakSet',
  'WebAssembly',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
];

/**
 * Whenever the thread turns to another workflow, the SDK (seen in 1.24) compares all properties of the global object,
 * 100 ns to 1 µs each. Constants need none. The SDK reads two of them there.
 */
const readByTheSDK = ['Error', 'Math'];
/** Nothing in a workflow uses these. */
const unusedGlobals = ['Atomics', 'SharedArrayBuffer', 'escape', 'eval', 'unescape'];
const removedGlobals = [...pureGlobals.filter((name) => !readByTheSDK.includes(name)), ...unusedGlobals];

/**
 * Bundles `entry`, a module that exports workflows, into `file`.
 * @param entry absolute path
 * @param file absolute path; replaced atomically
 * @param packages where `@perdure/...` is found; sources need it, compiled modules have a link
 */
export async function bundleWorkflows(entry: string, file: string, packages?: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    // By path, not by package name, which would load another copy. The imports of the entry are loaded once with it,
    // instead of once per workflow.
    preloadModules: [entry],
    ...(packages && { webpackConfigHook: withPackages(packages) }),
    logger: quietLogger(),
  });
  const draft = `${file}.draft`;
  // On the first line of the bundle, so that the line numbers of its source map stay correct.
  const constants = pureGlobals.map((name) => `const ${name} = globalThis.${name};`).join(' ');
  const removal = removedGlobals.map((name) => `delete globalThis.${name};`).join(' ');
  writeFileSync(draft, `${constants} ${removal} ${code}`);
  renameSync(draft, file);
}

function withPackages(folder: string): NonNullable<BundleOptions['webpackConfigHook']> {
  return (config) => ({
    ...config,
    resolve: { ...config.resolve, alias: { ...config.resolve?.alias, '@perdure': folder } },
  });
}

/** The bundler reports sizes and module lists; only failures matter here. */
function quietLogger(): Logger {
  const silent = () => undefined;
  const loud = (message: string) => process.stderr.write(`${message}\n`);
  return { log: silent, trace: silent, debug: silent, info: silent, warn: loud, error: loud };
}
