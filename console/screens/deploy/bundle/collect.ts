/** Finds the model files among files and folders that the user chose or dropped. Nothing is read. */
import { modelKind, MODEL_NAMES } from '@perdure/lib/model-files/kind.js';

export interface FoundFile {
  /** In the bundle: relative to the folder that was chosen, with slashes. */
  name: string;
  file: File;
}

export interface Collected {
  models: FoundFile[];
  /** The names of other files. */
  passedOver: string[];
}

/** A file with its path, which begins with the name of the chosen folder. */
interface PathedFile {
  path: string;
  file: File;
}

/** Limits of one deployment on the host. */
export const MAX_MODELS = 100;
export const MAX_NAME_LENGTH = 255;
export const MAX_MEGABYTES = 20;
/** Of files and folders that are counted. */
export const MAX_ENTRIES = 5_000;

/** Parts of a project that are not its own. */
const FOREIGN = /(^|\/)(\.[^/]*|node_modules)(?=\/)/;

/** @throws with a message for the user if there is nothing to deploy, or too much */
export function collect(found: readonly PathedFile[]): Collected {
  if (found.length > MAX_ENTRIES) throw tooMany();
  const own = found.filter(({ path }) => !FOREIGN.test(path));
  const isModel = ({ path }: PathedFile) => modelKind(path) !== undefined && !path.split('/').at(-1)!.startsWith('.');
  const models = withDistinctNames(own.filter(isModel));
  refuse(models);
  return { models, passedOver: own.filter((one) => !isModel(one)).map(({ path }) => path) };
}

function tooMany(): Error {
  return new Error(
    `More than ${MAX_ENTRIES.toLocaleString('en')} files and folders were chosen. Choose the folder of the models. Nothing was read.`,
  );
}

function refuse(models: readonly FoundFile[]): void {
  if (models.length === 0) throw new Error(`There is no model to deploy. The names of models end in ${MODEL_NAMES}.`);
  if (models.length > MAX_MODELS)
    throw new Error(
      `A deployment takes at most ${MAX_MODELS} files, but there are ${models.length.toLocaleString('en')}. Deploy folders one by one, called processes and decisions first. Nothing was read.`,
    );
  const long = models.find(({ name }) => name.length > MAX_NAME_LENGTH);
  if (long)
    throw new Error(
      `The path of a model must have at most ${MAX_NAME_LENGTH} characters, but ${long.name} has ${long.name.length}. Choose a folder that is nearer to it. Nothing was read.`,
    );
  const twice = models.find(({ name }, index) => models.findIndex((other) => other.name === name) !== index);
  if (twice) throw new Error(`Two files are named ${twice.name}. Rename one of them. Nothing was read.`);
  const bytes = models.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes <= MAX_MEGABYTES * 1024 * 1024) return;
  const largest = models.toSorted((one, other) => other.file.size - one.file.size)[0]!;
  throw new Error(
    `A deployment takes at most ${MAX_MEGABYTES} MiB, but the files have ${inMegabytes(bytes)}; the largest is ${largest.name} with ${inMegabytes(largest.file.size)}. Deploy fewer files at once. Nothing was read.`,
  );
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Without the chosen folder, unless two folders have a file of the same name. */
function withDistinctNames(files: readonly PathedFile[]): FoundFile[] {
  const inside = ({ path }: PathedFile) => path.slice(path.indexOf('/') + 1);
  const times = new Map<string, number>();
  for (const one of files) times.set(inside(one), (times.get(inside(one)) ?? 0) + 1);
  return files
    .map((one) => ({ name: times.get(inside(one)) === 1 ? inside(one) : one.path, file: one.file }))
    .toSorted(({ name: one }, { name: other }) => (one < other ? -1 : Number(one > other)));
}

// The members of the browser's FileList, DataTransfer, and FileSystemEntry that are used here. Tests run without a browser.
type GivenFiles = Iterable<File & { readonly webkitRelativePath?: string }> & { readonly length: number };

interface Dropped {
  readonly items: Iterable<{ webkitGetAsEntry(): DroppedEntry | null }>;
  readonly files: GivenFiles;
}

interface DroppedEntry {
  readonly fullPath: string;
  readonly isDirectory: boolean;
}

interface FolderEntry extends DroppedEntry {
  createReader(): { readEntries(found: (entries: DroppedEntry[]) => void, failed: () => void): void };
}

interface FileEntry extends DroppedEntry {
  file(found: (file: File) => void, failed: () => void): void;
}

/** Files of an input; with paths if it takes folders. */
export function filesOfInput(files: GivenFiles): PathedFile[] {
  if (files.length > MAX_ENTRIES) throw tooMany();
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Must be called while the drop is handled: afterward, the browser has forgotten what was dropped. */
export async function filesOfDrop({ items, files }: Dropped): Promise<PathedFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  if (entries.some((entry) => entry === null)) return filesOfInput(files);
  const found: PathedFile[] = [];
  const waiting = entries.map((entry) => entry!);
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen + waiting.length > MAX_ENTRIES) throw tooMany();
    const entry = waiting.shift()!;
    if (FOREIGN.test(`${entry.fullPath}/`.slice(1)) && entry.isDirectory) continue;
    const path = entry.fullPath.replace(/^\//, '');
    if (isFolder(entry)) waiting.push(...(await entriesOf(entry, MAX_ENTRIES - seen)));
    else found.push({ path, file: await fileOf(entry as FileEntry) });
  }
  return found;
}

function isFolder(entry: DroppedEntry): entry is FolderEntry {
  return entry.isDirectory;
}

/** The browser gives them in portions, of which the last one is empty. */
async function entriesOf(folder: FolderEntry, most: number): Promise<DroppedEntry[]> {
  const reader = folder.createReader();
  const entries: DroppedEntry[] = [];
  while (entries.length <= most) {
    const portion = await new Promise<DroppedEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, () => reject(cannotRead(folder))),
    );
    if (portion.length === 0) break;
    entries.push(...portion);
  }
  return entries;
}

function fileOf(entry: FileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, () => reject(cannotRead(entry))));
}

function cannotRead({ fullPath }: DroppedEntry): Error {
  return new Error(`${fullPath.replace(/^\//, '')} cannot be read. It may have been deleted. Choose the files again.`);
}
