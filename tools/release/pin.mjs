/**
 * Pins the actions of the pipeline and the base images of the Dockerfile to the digests that their tags have now:
 *
 *     node tools/release/pin.mjs            asks GitHub and Docker Hub, and writes the digests into the files
 *     node tools/release/pin.mjs --check    only fails if something is not pinned; needs no network
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinned, referencesOfRelease } from './references.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const REGISTRY_DEADLINE_MS = 30_000;
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

if (process.argv[2] === '--check') check();
else await pinAll();

function check() {
  const loose = referencesOfRelease().filter(({ digest }) => digest === undefined);
  if (loose.length === 0) return;
  const list = loose.map(({ file, name, version }) => `  ${file}: ${name} ${version}`).join('\n');
  process.stderr.write(
    `These can be replaced by others without a change in this repository:\n${list}\n` +
      'Run node tools/release/pin.mjs, review its changes, commit them, and tag again.\n',
  );
  process.exitCode = 1;
}

/** All digests are read before any file is written. */
async function pinAll() {
  const references = distinct(referencesOfRelease());
  const digests = await Promise.all(references.map(digestOf));
  references.forEach((reference, index) => {
    const file = join(root, reference.file);
    const text = readFileSync(file, 'utf8').replaceAll(reference.text, pinned(reference, digests[index]));
    writeFileSync(file, text);
    process.stdout.write(`${reference.file}: ${reference.name} ${reference.version} is ${digests[index]}\n`);
  });
}

/** A replacement changes every occurrence in a file at once. */
function distinct(references) {
  return [...new Map(references.map((each) => [`${each.file} ${each.text}`, each])).values()];
}

function digestOf(reference) {
  return reference.kind === 'action' ? commitOf(reference) : indexOf(reference);
}

/** Of an annotated tag, `^{}` is the commit. */
async function commitOf({ name, version, file }) {
  const repository = `https://github.com/${name.split('/').slice(0, 2).join('/')}`;
  const tag = `refs/tags/${version}`;
  const lines = execFileSync('git', ['ls-remote', repository, tag, `${tag}^{}`], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const [commit] = lines.at(-1).split('\t');
  if (!/^[0-9a-f]{40}$/.test(commit))
    throw new Error(`${repository} has no tag "${version}", which ${file} asks for. Correct the version there.`);
  return commit;
}

/** The digest of the index, which holds the image of each architecture. */
async function indexOf({ name, version, file }) {
  const repository = name.includes('/') ? name : `library/${name}`;
  const scope = `service=registry.docker.io&scope=repository:${repository}:pull`;
  const { token } = await (await get(`https://auth.docker.io/token?${scope}`)).json();
  const response = await get(`https://registry-1.docker.io/v2/${repository}/manifests/${version}`, {
    accept: manifestTypes.join(', '),
    authorization: `Bearer ${token}`,
  });
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`Docker Hub returned no digest for ${name}:${version}, which ${file} asks for.`);
  return digest;
}

async function get(url, headers = {}) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(REGISTRY_DEADLINE_MS) });
  if (!response.ok)
    throw new Error(`GET ${url} returned ${response.status}. Run the command again, or check the name.`);
  return response;
}
