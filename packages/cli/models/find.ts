/** The model files that operands name: files, and folders with everything below them. */
import { realpath, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative, sep } from 'node:path';
import { modelKind, MODEL_NAMES, type ModelKind } from '@perdure/lib/model-files/kind.js';

export interface ModelFile {
  /** For reading and for messages. */
  readonly path: string;
  /** In the bundle: relative to the folder that was named, with slashes. */
  readonly name: string;
  readonly kind: ModelKind;
}

export interface FoundModels {
  readonly files: readonly ModelFile[];
  /** Every folder that was read, and those of the files that were named. */
  readonly folders: ReadonlySet<string>;
  /** Messages about what cannot be read, and what is not a model. */
  readonly problems: readonly string[];
  /** Whether an operand is a folder. */
  readonly hasFolder: boolean;
}

/** A part of a project that is not deployed. */
const PASSED_OVER = /\.scenario\.json$/i;
/** Of packages; names that begin with a dot are passed over as well. */
const FOREIGN_FOLDERS = new Set(['node_modules']);

/** In the order of the operands, and by their paths inside a folder. A file that is reached twice is found once. */
export async function findModels(operands: readonly string[]): Promise<FoundModels> {
  const search = new Search();
  for (const operand of operands) await search.operand(operand);
  return { ...search, files: withDistinctNames(search.files) };
}

class Search {
  readonly files: ModelFile[] = [];
  readonly folders = new Set<string>();
  readonly problems: string[] = [];
  hasFolder = false;
  /** Real paths, so that links cannot lead to the same place again. */
  readonly #seen = new Set<string>();

  async operand(path: string): Promise<void> {
    const found = await this.#look(path);
    if (found === undefined) return void this.folders.add(dirname(path));
    if (found.isDirectory()) {
      this.hasFolder = true;
      return this.#folder(path, path);
    }
    this.folders.add(dirname(path));
    if (modelKind(path) !== undefined) return this.#file(path, basename(path));
    if (!PASSED_OVER.test(path))
      this.problems.push(`${path} is not a model: its name must end in ${MODEL_NAMES}. Rename or omit it.`);
  }

  async #folder(path: string, root: string): Promise<void> {
    if (!(await this.#isNew(path))) return;
    this.folders.add(path);
    const entries = await readdir(path, { withFileTypes: true }).catch(this.#cannotRead(path));
    for (const entry of (entries ?? []).toSorted(byName)) {
      const inside = join(path, entry.name);
      if (entry.name.startsWith('.') || FOREIGN_FOLDERS.has(entry.name)) continue;
      const isModel = modelKind(entry.name) !== undefined;
      if (entry.isDirectory()) await this.#folder(inside, root);
      else if (entry.isSymbolicLink()) await this.#link(inside, root, isModel);
      else if (isModel) await this.#file(inside, nameIn(root, inside));
    }
  }

  async #link(path: string, root: string, isModel: boolean): Promise<void> {
    // A broken link matters only if a model is meant.
    const target = isModel ? await this.#look(path) : await stat(path).catch(() => undefined);
    if (target?.isDirectory()) await this.#folder(path, root);
    else if (target && isModel) await this.#file(path, nameIn(root, path));
  }

  async #file(path: string, name: string): Promise<void> {
    const found = await this.#look(path);
    if (found === undefined) return;
    // Reading a pipe could wait forever.
    if (!found.isFile()) return void this.problems.push(`Cannot read ${path}: not a file`);
    if (await this.#isNew(path)) this.files.push({ path, name, kind: modelKind(path)! });
  }

  async #look(path: string) {
    return stat(path).catch(this.#cannotRead(path));
  }

  async #isNew(path: string): Promise<boolean> {
    const real = await realpath(path).catch(() => path);
    return this.#seen.size < this.#seen.add(real).size;
  }

  #cannotRead(path: string) {
    return (error: NodeJS.ErrnoException): undefined => {
      const isUnreadableName = error.code === 'ENOENT' && path.includes('\uFFFD');
      const reason = isUnreadableName ? 'its name is not UTF-8. Rename it.' : error.message;
      this.problems.push(`Cannot read ${path}: ${reason}`);
    };
  }
}

function byName({ name: one }: { name: string }, { name: other }: { name: string }): number {
  return one < other ? -1 : Number(one > other);
}

function nameIn(root: string, path: string): string {
  return withSlashes(relative(root, path));
}

function withSlashes(path: string): string {
  return path.split(sep).join('/');
}

/** Files of the same name from different folders keep their whole paths. */
function withDistinctNames(files: readonly ModelFile[]): ModelFile[] {
  const times = new Map<string, number>();
  for (const { name } of files) times.set(name, (times.get(name) ?? 0) + 1);
  return files.map((file) =>
    times.get(file.name) === 1 ? file : { ...file, name: withSlashes(normalize(file.path)) },
  );
}
