/** A build that does something else in one place: the check of an upgrade, with engine and compiler from changed sources. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rollup } from 'vite';
import { repositoryRoot } from '../../../dev/repository.js';
import { browserSources, packageSources } from '../../../tools/packages/sources.js';

type Rerun = typeof import('../../../host/admin/check-upgrade/rerun.js');
type Graphs = typeof import('../../../host/admin/check-upgrade/graph-difference.js');
type Model = typeof import('@perdure/engine/model/model.js');
type Compile = typeof import('@perdure/bpmn/compile/compile.js');

export type Candidate = Pick<Rerun, 'rerun'> &
  Pick<Graphs, 'graphDifference'> &
  Pick<Model, 'modelOf'> &
  Pick<Compile, 'compile'>;

/** One changed expression of the sources. */
export interface Planted {
  /** Relative to the repository. */
  file: string;
  /** Occurs once in the file. */
  before: string;
  after: string;
}

const ENTRY = 'virtual:candidate';
const entry = `
export { rerun } from '${repositoryRoot}/host/admin/check-upgrade/rerun.ts';
export { graphDifference } from '${repositoryRoot}/host/admin/check-upgrade/graph-difference.ts';
export { modelOf } from '@perdure/engine/model/model.js';
export { compile } from '@perdure/bpmn/compile/compile.js';
export const choose = (index) => { globalThis.planted = index; };
`;

type Chooser = Candidate & { choose(index: number | undefined): void };

/** All of them in one bundle: building it is most of the work. */
export class Candidates {
  readonly #folder: string;
  readonly #module: Chooser;

  private constructor(folder: string, module: Chooser) {
    this.#folder = folder;
    this.#module = module;
  }

  static async build(planted: readonly Planted[]): Promise<Candidates> {
    const changed = changedSources(planted);
    const { output } = (await build({
      configFile: false,
      logLevel: 'silent',
      root: repositoryRoot,
      // Those of browsers need no files of packages, which a bundle elsewhere does not find.
      resolve: { alias: [...browserSources, ...packageSources] },
      ssr: { noExternal: true, external: [...builtinModules] },
      plugins: [
        {
          name: 'planted-changes',
          enforce: 'pre',
          resolveId: (source) => (source === ENTRY ? ENTRY : undefined),
          load: (id) => (id === ENTRY ? entry : changed.get(id)),
        },
      ],
      build: { write: false, minify: false, ssr: true, rollupOptions: { input: ENTRY, output: { format: 'es' } } },
    })) as Rollup.RollupOutput;
    const folder = mkdtempSync(join(tmpdir(), 'perdure-candidate-'));
    const file = join(folder, 'candidate.mjs');
    writeFileSync(file, output[0].code);
    return new Candidates(folder, await import(/* @vite-ignore */ pathToFileURL(file).href));
  }

  /** @param index of the change; undefined for the sources as they are */
  with(index: number | undefined): Candidate {
    this.#module.choose(index);
    return this.#module;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function changedSources(planted: readonly Planted[]): Map<string, string> {
  const sources = new Map<string, string>();
  for (const [index, { file, before, after }] of planted.entries()) {
    const path = join(repositoryRoot, file);
    const source = sources.get(path) ?? readFileSync(path, 'utf8');
    if (source.split(before).length !== 2) throw new Error(`${file} must contain ${JSON.stringify(before)} once`);
    sources.set(
      path,
      source.replace(before, () => `(globalThis.planted === ${index} ? (${after}) : (${before}))`),
    );
  }
  return sources;
}
