/**
 * Makes `dist/workflow-bundle.js`, the code that runs inside Temporal's sandbox, out of the compiled workflows; does
 * nothing when they have not changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';
import { compiledScript, repositoryRoot } from './repository.js';

const bundleFile = compiledScript('workflow-bundle.js');
const inputsFile = compiledScript('.workflow-bundle-inputs');
const entry = compiledScript('workflows/index.js');
/** What the bundle is made of, beside packages. */
const folders = ['workflows', 'engine', 'feel'];

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

const inputs = hashOfInputs();
if (!existsSync(bundleFile) || !existsSync(inputsFile) || readFileSync(inputsFile, 'utf8') !== inputs) {
  await build();
  writeFileSync(inputsFile, inputs);
}

async function build(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    // By path, not by package name: that would load another copy. What the entry imports is loaded once with it,
    // instead of once for each workflow.
    preloadModules: [entry],
    logger: quietLogger(),
  });
  const draft = `${bundleFile}.draft`;
  // On the first line of the bundle, so that the line numbers of its source map stay right.
  writeFileSync(draft, `${pureGlobals.map((name) => `const ${name} = globalThis.${name};`).join(' ')} ${code}`);
  renameSync(draft, bundleFile);
}

function hashOfInputs(): string {
  const files = folders.flatMap((folder) =>
    readdirSync(compiledScript(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => join('dist', folder, file)),
  );
  const hash = createHash('sha256');
  for (const file of [...files.sort(), 'package-lock.json', 'dist/scripts/build-workflow-bundle.js']) {
    hash.update(file).update(readFileSync(join(repositoryRoot, file)));
  }
  return hash.digest('hex');
}

/** The bundler reports sizes and module lists; only what has gone wrong is worth reading. */
function quietLogger(): Logger {
  const silent = () => undefined;
  const loud = (message: string) => process.stderr.write(`${message}\n`);
  return { log: silent, trace: silent, debug: silent, info: silent, warn: loud, error: loud };
}
