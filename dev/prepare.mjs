/**
 * Runs before `npm start` and `npm test`: installs the packages and compiles the sources, each only if necessary.
 * Concurrent runs do the work once. Plain JavaScript without packages, because there may be none yet.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lock } from './lock.mjs';
import { withProgress } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const output = join(root, 'dist');
const bundles = ['workflow-bundle.js', 'runner-bundle.js'].map((name) => join(output, name));
const stampFile = join(output, '.prepared.json');
const notSources = new Set(['node_modules', 'dist', 'test', 'coverage']);
const oldestNode = [20, 12];

/** A problem that a person must solve; only its message is shown. */
class Failure extends Error {}

try {
  checkNode();
  await prepare();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (!isNewEnough)
    throw new Failure(
      `Perdure needs Node ${oldestNode.join('.')} or later, but this is Node ${process.versions.node} ` +
        `(${process.execPath})`,
    );
}

async function prepare() {
  mkdirSync(output, { recursive: true });
  const release = await lock(join(output, '.preparing'), (holder) => {
    process.stderr.write(`Process ${holder} is preparing the same checkout; waiting for it\n`);
  });
  try {
    if (!arePackagesInstalled()) await install();
    if (!isBuilt()) await build();
  } finally {
    release();
  }
}

/** Compares the packages that npm has recorded as installed with the lock file, one by one. */
function arePackagesInstalled() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const installed = readJson(installedFile).packages;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // Optional packages are for other kinds of machine; the empty path is this product itself.
    const isMissing = installed[path] === undefined;
    return path === '' || (isMissing ? optional === true : installed[path].version === version);
  });
}

async function install() {
  // Compilers and test tools are development packages, which NODE_ENV=production would leave out.
  await runNpm(
    'Installing packages (about a minute)',
    ['ci', '--include=dev', '--loglevel=error'],
    'The packages could not be installed.',
  );
}

function isBuilt() {
  return (
    bundles.every((bundle) => existsSync(bundle)) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === JSON.stringify(stampOfSources())
  );
}

async function build() {
  const stamp = stampOfSources();
  removeOutputsWithoutSource(stamp);
  await runNpm('Compiling (about 20 seconds)', ['run', '--silent', 'build'], 'The sources do not compile.');
  writeFileSync(stampFile, JSON.stringify(stamp));
}

/** Every input file of the build with its size and time; an edit changes one of them. */
function stampOfSources() {
  /** @type {Record<string, string>} */
  const stamp = {};
  for (const file of listSources('')) {
    const { size, mtimeMs } = statSync(join(root, file));
    stamp[file] = `${size} ${mtimeMs}`;
  }
  return stamp;
}

/**
 * @param {string} folder relative to the root; empty for the root itself
 * @returns {string[]}
 */
function listSources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return notSources.has(entry.name) || entry.name.startsWith('.') ? [] : listSources(path);
    const isSource =
      /\.(ts|tsx|css|html|svg|mjs|bpmn)$/.test(entry.name) ||
      // The manifest of a package says what the others can import.
      entry.name === 'package.json' ||
      (folder === '' && /^(package-lock|tsconfig.*)\.json$/.test(entry.name));
    return isSource ? [path] : [];
  });
}

/**
 * The compiler keeps the output of a deleted source.
 *
 * @param {Record<string, string>} stamp
 */
function removeOutputsWithoutSource(stamp) {
  if (!existsSync(stampFile)) return;
  for (const file of Object.keys(readJson(stampFile))) {
    if (file in stamp || !file.endsWith('.ts') || file.startsWith('console')) continue;
    const compiled = join(output, file.replace(/\.ts$/, '.js'));
    rmSync(compiled, { force: true });
    rmSync(`${compiled}.map`, { force: true });
  }
}

/**
 * Runs npm, the one that started this process if there is one, and shows its output only on failure.
 *
 * @param {string} sentence
 * @param {string[]} arguments_
 * @param {string} complaint
 */
async function runNpm(sentence, arguments_, complaint) {
  const npm = process.env.npm_execpath;
  const outcome = () =>
    npm === undefined ? outcomeOf('npm', arguments_) : outcomeOf(process.execPath, [npm, ...arguments_]);
  const { code, text } = await withProgress(sentence, outcome);
  if (code === 0) return;
  process.stderr.write(text);
  throw new Failure(`${complaint} The reason is above.`);
}

/**
 * @param {string} command
 * @param {string[]} arguments_
 * @returns {Promise<{ code: number | null, text: string }>}
 */
function outcomeOf(command, arguments_) {
  return new Promise((resolve) => {
    // A dependency of the form viewer would report what is installed here, with the history of the repository.
    const env = { ...process.env, IBM_TELEMETRY_DISABLED: 'true' };
    const child = spawn(command, arguments_, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.stderr.on('data', (chunk) => (text += chunk));
    child.on('error', (error) => resolve({ code: 1, text: `${error.message}\n` }));
    child.on('close', (code) => resolve({ code, text }));
  });
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
