/**
 * Models that people drew with other modelers: files of the tests of Camunda 7 (Apache-2.0), of Signavio, ADONIS, Activiti
 * Designer, and others. Maven, which knows the user's mirrors, gets them once, for `npm run label-proof` only.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lock } from '../../../dev/lock.mjs';
import { runProgram } from '../../../dev/processes/run-program.js';
import { userCache } from '../../../dev/repository.js';

const version = '7.22.0';
const artifact = `org.camunda.bpm:camunda-engine:${version}:jar:tests`;
/** Of the paths and contents of all models, in the order of their paths. */
const sha256 = 'ba1d21bd39d6bd7c32a9b20b37e416f072130b8d88d2f5e716a53ccfba0cf470';
const unpackGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';

/** Paths of the models with the most different labels in their diagrams. Those with an association to an element that is in no file are left out. */
export async function peerModels(count: number): Promise<string[]> {
  const folder = await prepare();
  return modelsIn(folder)
    .map((path) => ({ path, xml: readFileSync(join(folder, path), 'utf8') }))
    .filter(({ xml }) => hasWholeAssociations(xml))
    .map(({ path, xml }) => ({ path, labels: labelsIn(xml) }))
    .toSorted((one, other) => other.labels - one.labels || (one.path < other.path ? -1 : 1))
    .slice(0, count)
    .map(({ path }) => join(folder, path));
}

/** Whether both ends of each association are in the file. */
function hasWholeAssociations(xml: string): boolean {
  const ids = new Set([...xml.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id));
  return [...xml.matchAll(/<(?:\w+:)?association\s[^>]*>/g)].every(([tag]) =>
    ['sourceRef', 'targetRef'].every((end) => ids.has(new RegExp(`\\b${end}="([^"]+)"`).exec(tag)?.[1])),
  );
}

/** Different names of the elements that have a shape or an edge. */
function labelsIn(xml: string): number {
  const drawn = new Set([...xml.matchAll(/\bbpmnElement="([^"]+)"/g)].map(([, id]) => id));
  const names = [...xml.matchAll(/<[\w:]+\s[^>]*>/g)].flatMap(([tag]) => {
    const [, name] = /\bname="([^"]+)"/.exec(tag) ?? [];
    return name !== undefined && drawn.has(/\bid="([^"]+)"/.exec(tag)?.[1]) ? [name] : [];
  });
  return new Set(names).size;
}

function modelsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.bpmn(20\.xml)?$/.test(path))
    .toSorted();
}

async function prepare(): Promise<string> {
  const folder = join(userCache(process.env), 'peer-models', version);
  const release = await lock(`${folder}.lock`, () => undefined);
  try {
    if (!existsSync(folder)) await fetchModels(folder);
    return folder;
  } finally {
    release();
  }
}

async function fetchModels(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-draft-`);
  try {
    const models = join(draft, 'models');
    const { code, lastWords } = await runProgram({
      command: 'mvn',
      arguments: [
        '--batch-mode',
        '--quiet',
        unpackGoal,
        `-Dartifact=${artifact}`,
        `-DoutputDirectory=${models}`,
        '-Dmdep.unpack.includes=**/*.bpmn,**/*.bpmn20.xml',
        // A separate repository: the archive would stay in the user's repository indefinitely.
        `-Dmaven.repo.local=${join(draft, 'repository')}`,
      ],
      // The goal leaves files where it runs.
      workingDirectory: draft,
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 5_000,
    });
    if (code !== 0) throw new Error(`Maven could not get ${artifact}: ${lastWords}`);
    const found = hashOf(models);
    if (found !== sha256) throw new Error(`The models of ${artifact} have the SHA-256 ${found}, but not ${sha256}`);
    renameSync(models, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const path of modelsIn(folder)) hash.update(`${path}\n`).update(readFileSync(join(folder, path)));
  return hash.digest('hex');
}
