/** The versions that an import needs, with their graphs as a thread reads them. */
import { graphText } from '../../store/steps/graphs.js';
import { versionToStart, type VersionToStart } from '../../store/instances/start.js';
import type { Queryable } from '../../store/sql/database.js';
import { keyOfVersion, type AskedVersion, type ImportOutline } from './outline.js';
import type { KnownVersion } from './work.js';

interface FoundVersions {
  /** Of the instance. */
  processID: string;
  /** Those that the project has, that of the instance first. */
  versions: KnownVersion[];
  graphs: [sha256: string, text: Uint8Array<ArrayBuffer>][];
}

/** @returns undefined if the project does not have the version of the instance */
export async function versionsFor(
  database: Queryable,
  projectID: string,
  { versions: asked }: ImportOutline,
): Promise<FoundVersions | undefined> {
  const versions: KnownVersion[] = [];
  for (const one of asked) {
    const found = await versionToStart(database, projectID, wishOf(one));
    if (found) versions.push({ key: keyOfVersion(one), ...found });
    else if (versions.length === 0) return undefined;
  }
  const graphs: FoundVersions['graphs'] = [];
  for (const sha256 of new Set(versions.map(({ graphSha256 }) => graphSha256))) {
    const text = await graphText(database, sha256);
    if (text === undefined) throw new Error(`Graph ${sha256} is not stored, but a deployed definition refers to it`);
    graphs.push([sha256, new TextEncoder().encode(text)]);
  }
  return { processID: versions[0]!.processID, versions, graphs };
}

function wishOf({ definitionID, processId, version }: AskedVersion): VersionToStart {
  return definitionID === undefined ? { processID: processId!, version } : { definitionID };
}
