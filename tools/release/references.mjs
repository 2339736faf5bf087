/** Actions and base images that the pipeline and the image take from others, with their versions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const workflows = '.github/workflows';

const action = /uses: *([\w.-]+\/[\w./-]+)@([\w.-]+)(?: *# *(\S+))?/g;
const image = /^FROM ([\w.-]+(?:\/[\w.-]+)*):([\w.-]+)(?:@(sha256:[0-9a-f]{64}))?/gm;

/**
 * @typedef {object} Reference
 * @property {'action' | 'image'} kind
 * @property {string} file
 * @property {string} text as the file has it
 * @property {string} name
 * @property {string} version
 * @property {string} [digest] of a commit or an image, if it is pinned
 */

/** @returns {Reference[]} */
export function referencesOfRelease() {
  const files = readdirSync(join(root, workflows)).map((file) => `${workflows}/${file}`);
  return [...files, 'Dockerfile'].flatMap((file) => referencesIn(file, readFileSync(join(root, file), 'utf8')));
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Reference[]}
 */
export function referencesIn(file, text) {
  const actions = [...text.matchAll(action)].map(([found, name, revision, version]) =>
    isCommit(revision)
      ? { kind: 'action', file, text: found, name, version: version ?? '', digest: revision }
      : { kind: 'action', file, text: found, name, version: revision },
  );
  const images = [...text.matchAll(image)].map(([found, name, version, digest]) => ({
    kind: 'image',
    file,
    text: found,
    name,
    version,
    ...(digest === undefined ? {} : { digest }),
  }));
  return [...actions, ...images];
}

/**
 * @param {Reference} reference
 * @param {string} digest
 */
export function pinned({ kind, name, version }, digest) {
  return kind === 'action' ? `uses: ${name}@${digest} # ${version}` : `FROM ${name}:${version}@${digest}`;
}

/** A tag can be moved to other code, and the hash of a commit cannot. */
function isCommit(revision) {
  return /^[0-9a-f]{40}$/.test(revision);
}
