/**
 * Prints how many bytes a browser loads, compressed with gzip, until the console shows a screen for the first time. The
 * figures come from the build: the files of index.html, of the application, and of the screen, with all that these import.
 *
 *     npm run first-load                 the dashboard, the list of instances, and an instance
 *     npm run first-load -- incidents    another screen, by the name of its module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../dist/console', import.meta.url));
/** Modules that a screen loads as soon as it is shown. */
const shownWith = { dashboard: ['time-chart'], instance: ['bpmn-diagram'], modeler: ['bpmn-modeler'] };
const asked = process.argv.slice(2);

if (!existsSync(join(folder, 'index.html'))) {
  process.stderr.write('The console is not built. Run npm run build first.\n');
  process.exitCode = 1;
} else for (const screen of asked.length > 0 ? asked : ['dashboard', 'instances', 'instance']) print(screen);

function print(screen) {
  const files = filesOf(screen);
  const total = [...files].reduce((sum, file) => sum + compressed(file), 0);
  const largest = [...files].toSorted((a, b) => compressed(b) - compressed(a)).slice(0, 3);
  const names = largest.map((file) => `${file.replace('assets/', '')} ${inKB(compressed(file))}`);
  process.stdout.write(`${screen.padEnd(12)}${inKB(total).padStart(8)} in ${files.size} files (${names.join(', ')})\n`);
}

/** Paths below the folder. */
function filesOf(screen) {
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = [...index.matchAll(/\/console\/(assets\/[^"]+)/g)].map(([, file]) => file);
  // A screen is called start too, but only the application is imported by the first script.
  const application = importsOf(
    'start',
    first.filter((file) => file.endsWith('.js')),
  );
  const modules = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
  const scripts = modules.filter((name) => name.endsWith('.js'));
  const later = [screen, ...(shownWith[screen] ?? [])].flatMap((module) => importsOf(module, scripts));
  return new Set(['index.html', ...first, ...application, ...later]);
}

/** A dynamic import names its module and, as positions in a list, all files that this needs. */
function importsOf(module, importers) {
  const pattern = new RegExp(
    `import\\("\\./${module}-[\\w-]{8}\\.js"\\)(?:\\.then\\([^)]*\\)|;return\\{[^}]*\\}\\})?,__vite__mapDeps\\(\\[([\\d,]*)\\]\\)`,
  );
  for (const file of importers) {
    const text = readFileSync(join(folder, file), 'utf8');
    const [, positions] = pattern.exec(text) ?? [];
    if (positions === undefined) continue;
    const list = JSON.parse(/m\.f=(\[[^\]]*\])/.exec(text)[1]);
    return positions.split(',').map((position) => list[Number(position)]);
  }
  throw new Error(`Nothing in ${folder} imports a module ${module}. Names of screens are those of their folders.`);
}

function compressed(file) {
  return gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
}

function inKB(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
