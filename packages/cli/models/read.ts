/** Reads the model files of one bundle. */
import { MODEL_NAMES } from '@perdure/lib/model-files/kind.js';
import { readText } from '../values.js';
import { WrongUse } from '../wrong-use.js';
import type { FoundModels, ModelFile } from './find.js';

export interface ReadModel extends ModelFile {
  readonly content: string;
}

/** Limits of the host for one bundle. */
const MAX_FILES = 100;
const MAX_NAME_LENGTH = 255;
const MAX_BYTES = 20 * 1024 * 1024;

/**
 * @param text reads a file; it may fail with `WrongUse`
 * @throws WrongUse with every file that cannot be part of the bundle
 */
export async function readBundle({ files, problems }: FoundModels, text = readText): Promise<ReadModel[]> {
  const wrong = [...problems];
  const read: ReadModel[] = [];
  if (files.length <= MAX_FILES)
    for (const file of files) {
      const content = await text(file.path).catch((error: Error) => {
        if (!(error instanceof WrongUse)) throw error;
        wrong.push(error.message);
      });
      if (content !== undefined) read.push({ ...file, content });
    }
  if (wrong.length > 0) throw new WrongUse([...wrong, 'Nothing was deployed'].join('\n'));
  refuse(files, read);
  return read;
}

function refuse(files: readonly ModelFile[], read: readonly ReadModel[]): void {
  if (files.length === 0) throw new WrongUse(`There is no model to deploy. The names of models end in ${MODEL_NAMES}.`);
  if (files.length > MAX_FILES)
    throw new WrongUse(
      `A deployment takes at most ${MAX_FILES} files, but there are ${files.length}, from ${files[0]!.path} to ${files.at(-1)!.path}. Deploy folders ` +
        'one by one, called processes and decisions first. Nothing was deployed.',
    );
  const long = files.find(({ name }) => name.length > MAX_NAME_LENGTH);
  if (long)
    throw new WrongUse(
      `The name of a model must have at most ${MAX_NAME_LENGTH} characters, but ${long.name} has ${long.name.length}. ` +
        'Name a folder that is nearer to it. Nothing was deployed.',
    );
  const sizes = read.map(({ path, content }) => ({ path, bytes: Buffer.byteLength(JSON.stringify(content)) }));
  const bytes = sizes.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes <= MAX_BYTES) return;
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes)[0]!;
  throw new WrongUse(
    `A deployment takes at most ${MAX_BYTES} bytes, but the files have ${bytes}; the largest is ${largest.path} with ` +
      `${largest.bytes}. Deploy fewer files at once. Nothing was deployed.`,
  );
}
