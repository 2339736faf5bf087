/** Bundles code for browsers with the bundler of the console, and refuses modules of Node.js with the imports that lead there. */
import { builtinModules } from 'node:module';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build, type Rollup } from 'vite';
import { repositoryRoot } from '../../dev/repository.js';
import { browserSources, packageSources } from '../../tools/packages/sources.js';

const ENTRY = 'virtual:entry';
const builtins = new Set(builtinModules);
/** Globals of Node.js that the libraries could use by accident; browsers have none of them. */
const NODE_GLOBAL = /(?<![\w$.'"`-])(?:Buffer\.\w|process\.(?:env|platform|pid|cwd|hrtime|nextTick)|setImmediate\()/;

/**
 * @param entry source text of the entry, which assigns its results to `globalThis`
 * @returns one script
 * @throws Error with the chain of imports if a module of Node.js is reached
 */
export async function bundleForBrowsers(entry: string): Promise<string> {
  const bundled = (await bundle(entry).catch(withoutColors)) as Rollup.RollupOutput;
  return bundled.output[0].code;
}

function bundle(entry: string) {
  return build({
    configFile: false,
    logLevel: 'silent',
    root: repositoryRoot,
    resolve: { alias: [...browserSources, ...packageSources] },
    plugins: [onlyForBrowsers(entry)],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rollupOptions: { input: ENTRY, output: { format: 'iife', name: 'bundled' } },
    },
  });
}

/** The bundler colors its messages where FORCE_COLOR is set, and in a terminal. */
function withoutColors(failure: unknown): never {
  throw new Error(stripVTControlCharacters((failure as Error).message), { cause: failure });
}

function onlyForBrowsers(entry: string) {
  const importers = new Map<string, string>();
  return {
    name: 'only-for-browsers',
    enforce: 'pre' as const,
    resolveId(source: string, importer: string | undefined) {
      if (source === ENTRY) return ENTRY;
      if (source.startsWith('node:') || builtins.has(source))
        throw new Error(`${source} is not in browsers. Imported by ${chainTo(importer, importers)}`);
      return undefined;
    },
    load(id: string) {
      return id === ENTRY ? entry : undefined;
    },
    moduleParsed({ id, importedIds }: { id: string; importedIds: readonly string[] }) {
      for (const imported of importedIds) if (!importers.has(imported)) importers.set(imported, id);
    },
    transform(code: string, id: string) {
      const found = id.includes('/packages/') && NODE_GLOBAL.exec(withoutComments(code));
      if (found) throw new Error(`${found[0]} is not in browsers. Used by ${chainTo(id, importers)}`);
    },
  };
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** The module and those that lead to it, the nearest first. */
function chainTo(module: string | undefined, importers: ReadonlyMap<string, string>): string {
  const chain: string[] = [];
  for (let id = module; id !== undefined && id !== ENTRY && !chain.includes(id); id = importers.get(id)) chain.push(id);
  return chain.map((id) => relative(repositoryRoot, id)).join(' < ') || 'the entry';
}
