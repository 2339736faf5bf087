/** The libraries in browsers: what they import, and that they run without anything of Node.js. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { sha256 } from '../../packages/lib/browser/sha256.js';
import { sequenceModel, serviceTask } from '@perdure/testkit/models';
import { bundleForBrowsers } from '../support/browser-bundle.js';

/** Each bundle takes the bundler seconds of CPU time, and tests share two cores. */
const BUNDLING_MS = 120_000;

const libraries = ['bpmn', 'dmn', 'engine', 'feel', 'forms', 'juel', 'lib', 'testkit', 'xml'];

/** Threads, files, servers, bytes of requests, and the entries that start them. */
const onlyInNode = [
  'bpmn/compile-thread.ts',
  'bpmn/index.ts',
  'bpmn/shipped/packages.ts',
  'dmn/threads.ts',
  'dmn/work-thread.ts',
  'lib/network/connect-with-retry.ts',
  'lib/in-threads.ts',
  'lib/keyed-mutex.ts',
  'lib/network/server-url.ts',
  'lib/sha256.ts',
  'lib/storable-json.ts',
  'lib/thread-pool.ts',
  'testkit/coverage-reporter.ts',
  'testkit/files/',
  'testkit/index.ts',
];

const everywhere = libraries.flatMap((library) =>
  readdirSync(join(repositoryRoot, 'packages', library), { recursive: true, encoding: 'utf8' })
    .map((file) => `${library}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !/\/(?:dist|node_modules)\//.test(file))
    .filter((file) => !onlyInNode.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path))),
);

const play = `import { openProcess, TestProcess } from '@perdure/testkit';
  globalThis.play = async (xml) => {
    const order = new TestProcess(await openProcess({ name: 'order.bpmn', xml }));
    const instance = order.start({ total: 7 });
    instance.job('ship').complete({ parcel: 'p1' });
    return { status: instance.status, completed: instance.completed, variables: instance.variables };
  };`;

let script: Promise<string> | undefined;

/** All modules in one script, which plays a process. */
function bundled(): Promise<string> {
  const imports = everywhere.map((file) => `import ${JSON.stringify(join(repositoryRoot, 'packages', file))};`);
  return (script ??= bundleForBrowsers([...imports, play].join('\n')));
}

it(
  'the libraries build for browsers',
  async () => {
    await expect(bundled()).resolves.toBeTypeOf('string');
  },
  BUNDLING_MS,
);

it(
  'a module of Node.js is refused with the imports that lead to it',
  async () => {
    await expect(bundleForBrowsers("import '@perdure/dmn/threads.js';")).rejects.toThrow(
      /node:\S+ is not in browsers\. Imported by packages\/lib\/\S+\.ts < .*packages\/dmn\/threads\.ts$/,
    );
  },
  BUNDLING_MS,
);

it(
  'a process runs where only the globals of browsers exist',
  async () => {
    const page = createContext({ TextEncoder, TextDecoder, URL, structuredClone, queueMicrotask, setTimeout, console });
    runInContext(await bundled(), page);
    const run = runInContext('play', page) as (xml: string) => Promise<unknown>;
    expect(JSON.parse(JSON.stringify(await run(sequenceModel('order', [serviceTask('ship')]))))).toEqual({
      status: 'COMPLETED',
      completed: ['start', 'ship', 'end'],
      variables: { total: 7, parcel: 'p1' },
    });
  },
  BUNDLING_MS,
);

it('the SHA-256 of browsers equals that of Node.js for texts of 0 to 199 characters and of a million', () => {
  const texts = Array.from({ length: 200 }, (_, length) => 'aä😀'.repeat(length).slice(0, length));
  for (const text of [...texts, 'x'.repeat(1_000_003)])
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});
