/** Opens files that were not made for each other: the main one first, then those that fit. */
import { ModelRefused } from '../model-refused.js';
import { openBundle, type Bundle, type ScenarioFile } from './bundle.js';

/** A file that cannot be used, for example because it repeats a process of another. */
export interface UnusedFile {
  name: string;
  message: string;
}

export interface OpenedFiles {
  bundle: Bundle;
  unused: UnusedFile[];
}

/** @throws ModelRefused if a host would refuse the first file */
export async function openFiles(files: readonly ScenarioFile[]): Promise<OpenedFiles> {
  try {
    return { bundle: await openBundle(files), unused: [] };
  } catch (error) {
    if (!(error instanceof ModelRefused) || files.length < 2) throw error;
    return openOneByOne(files);
  }
}

/** A host deploys files one at a time, so they can contain the same; a scenario refuses that. The first ones count. */
async function openOneByOne([main, ...others]: readonly ScenarioFile[]): Promise<OpenedFiles> {
  const used = [main!];
  const unused: UnusedFile[] = [];
  let bundle = await openBundle(used);
  for (const file of others) {
    try {
      bundle = await openBundle([...used, file]);
      used.push(file);
    } catch (error) {
      if (!(error instanceof ModelRefused)) throw error;
      unused.push({ name: file.name, message: error.message });
    }
  }
  return { bundle, unused };
}
