/** Histories kept in files, named after the version that made them: `<version>-<scenario>.json`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporal } from '@temporalio/proto';
import { repositoryRoot } from '../../dev/repository.js';

type History = temporal.api.history.v1.IHistory;

/** A file; the history is a `temporal.api.history.v1.History` in protobuf's binary form, base64. */
interface HistoryFile {
  workflowID: string;
  history: string;
}

export interface KeptHistory {
  file: string;
  workflowID: string;
  history: History;
}

const folder = join(repositoryRoot, 'test', 'replay', 'histories');
const codec = temporal.api.history.v1.History;

export function readHistories(): KeptHistory[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { workflowID, history } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as HistoryFile;
      return { file, workflowID, history: codec.decode(Buffer.from(history, 'base64')) };
    });
}

/** Keeps a history. A file that is there already stays as it is: what was made once has to replay forever. */
export function keepHistory(name: string, workflowID: string, history: History): void {
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { version: string };
  const content: HistoryFile = { workflowID, history: Buffer.from(codec.encode(history).finish()).toString('base64') };
  try {
    writeFileSync(join(folder, `${version}-${name}.json`), `${JSON.stringify(content)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
