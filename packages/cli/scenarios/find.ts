/** The scenario files that operands name: files, and folders with everything below them. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const SCENARIO = /\.scenario\.json$/i;
/** Of packages; names that begin with a dot are passed over as well. */
const FOREIGN_FOLDERS = new Set(['node_modules']);

export interface FoundScenarios {
  /** In the order of the operands, and by their paths inside a folder; each once. */
  readonly files: readonly string[];
  /** Every folder that was read, and those of the files that were named. */
  readonly folders: ReadonlySet<string>;
  /** Messages about operands that cannot be read. */
  readonly problems: readonly string[];
}

export async function findScenarios(operands: readonly string[]): Promise<FoundScenarios> {
  const search = new Search();
  for (const operand of operands) await search.operand(operand);
  return search;
}

class Search implements FoundScenarios {
  readonly files: string[] = [];
  readonly folders = new Set<string>();
  readonly problems: string[] = [];
  /** Real paths, so that links cannot lead to the same place again. */
  readonly #seen = new Set<string>();

  /** A file that is named can have any name. */
  async operand(path: string): Promise<void> {
    const found = await stat(path).catch(
      (error: Error) => void this.problems.push(`Cannot read ${path}: ${error.message}`),
    );
    if (!found) return;
    if (found.isDirectory()) return this.#folder(path);
    this.folders.add(dirname(path));
    if (await this.#isNew(path)) this.files.push(path);
  }

  async #folder(path: string): Promise<void> {
    if (!(await this.#isNew(path))) return;
    this.folders.add(path);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: Error) => {
      this.problems.push(`Cannot read ${path}: ${error.message}`);
      return [];
    });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || FOREIGN_FOLDERS.has(entry.name)) continue;
      const inside = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? await stat(inside).catch(() => undefined) : entry;
      if (kind?.isDirectory()) await this.#folder(inside);
      else if (kind?.isFile() && SCENARIO.test(entry.name) && (await this.#isNew(inside))) this.files.push(inside);
    }
  }

  async #isNew(path: string): Promise<boolean> {
    const real = await realpath(path).catch(() => path);
    return this.#seen.size < this.#seen.add(real).size;
  }
}
