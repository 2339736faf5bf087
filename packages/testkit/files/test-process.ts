/** Processes under test from files. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeFile } from '@perdure/lib/model-files/decode.js';
import { BPMN } from '@perdure/lib/model-files/namespaces.js';
import { openProcess, TestProcess, type ModelFile, type ProcessOptions } from '../process.js';
import { writeCoverage } from './coverage-lines.js';

export interface TestProcessOptions extends Omit<ProcessOptions, 'with'> {
  /** Other BPMN and DMN files, like the first: processes that it calls, decisions that it uses. */
  with?: readonly (string | URL)[];
}

/**
 * Reads and compiles the files as a deployment would.
 * @param file a BPMN file: a path, relative to the working directory, a URL, or the XML itself
 * @throws ModelRefused with every problem if the host would refuse a file
 */
export async function testProcess(file: string | URL, options: TestProcessOptions = {}): Promise<FileTestProcess> {
  const { with: others = [], ...settings } = options;
  return new FileTestProcess(await openProcess(read(file), { ...settings, with: others.map(read) }, writeCoverage));
}

/** A process under test whose files are on disk. */
export class FileTestProcess extends TestProcess {
  /**
   * Deploys newer versions of the file's processes. New instances run them; running instances keep their version until
   * they are migrated.
   * @param file a BPMN file: a path, relative to the working directory, a URL, or the XML itself
   * @throws ModelRefused with every problem if the host would refuse the file
   */
  override async deploy(file: string | URL | ModelFile): Promise<void> {
    await super.deploy(typeof file === 'string' || file instanceof URL ? read(file) : file);
  }
}

function read(file: string | URL): ModelFile {
  if (typeof file === 'string' && file.trimStart().startsWith('<')) return { name: nameOf(file), xml: file };
  const path = file instanceof URL ? fileURLToPath(file) : file;
  return { name: basename(path), xml: decodeFile(readFileSync(path), path) };
}

/** A name for XML that is in no file, with the ending of its kind. */
function nameOf(xml: string): string {
  return xml.includes(BPMN) ? 'model.bpmn' : 'model.dmn';
}
