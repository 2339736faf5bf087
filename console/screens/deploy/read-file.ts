/** Reads a file that the user chose. */
import { decodeFile } from '@perdure/lib/model-files/decode.js';

/** A BPMN or DMN file that is only in the browser. */
export interface ModelFile {
  name: string;
  xml: string;
}

/**
 * @throws with a message for the user if it is not a file, no longer exists, or is not in the encoding that it states
 */
export async function readFile(file: File): Promise<ModelFile> {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${file.name} cannot be read. It may be a folder, or it may have been deleted.`);
  });
  return { name: file.name, xml: decodeFile(new Uint8Array(bytes), file.name) };
}
