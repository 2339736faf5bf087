import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { COMPILER_VERSION } from '@perdure/bpmn/compile/compiler-version.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { startChores } from '../../background/driver.js';
import { outdatedDefinitions, type RecompilerOptions } from '../../worker/chores/outdated-definitions.js';
import { findDefinition, definitionsOfResource } from '../../store/definitions/definitions.js';
import { loadGraph } from '../../store/steps/graphs.js';
import { createResource, deployResource } from '../../store/definitions/resources.js';
import { startInstance } from '../../store/instances/start.js';
import { processFile, flow } from '../bpmn/support/model.js';
import { projectID, useStore, valueOf } from '../store/support/store.js';

const store = useStore();
const never = new AbortController().signal;

/** One pass over all files. */
const recompileAll = (options: RecompilerOptions, stopping: AbortSignal) =>
  outdatedDefinitions(options).run({ until: Infinity, stopping });

/** A process that runs a script. */
const model = (script = '=1 + 1') =>
  processFile(
    `<bpmn:startEvent id="s"/><bpmn:scriptTask id="t"><bpmn:script>${script}</bpmn:script></bpmn:scriptTask>${flow('f', 's', 't')}`,
  );

interface Outdated {
  resourceID: string;
  definitionID: string;
  old: string;
}

async function deployOutdated(
  xml: string,
  { graph, version = 0 }: { graph?: Graph; version?: number } = {},
): Promise<Outdated> {
  const { resourceID } = await createResource(store.database, projectID, { name: 'x', xml, definitionsID: 'x' }, 'eda');
  const compiled = (await compile(model())).processes[0]!;
  const old = `old-${randomUUID()}`;
  const processes = [
    {
      ...compiled,
      processID: 'p',
      graph: graph ?? { ...compiled.graph, processName: old },
      sha256: old,
      compilerVersion: version,
    },
  ];
  await deployResource(store.database, { projectID, resourceID, xml, deployedBy: 'eda', processes });
  const [definition] = await definitionsOfResource(store.database, projectID, resourceID);
  return { resourceID, definitionID: definition!.definitionID, old };
}

function logger() {
  const lines: { msg: string; definitionID?: string; reason?: string }[] = [];
  return {
    lines,
    logger: pino(
      { level: 'info' },
      { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
    ),
  };
}

const graphOfDefinition = async (definitionID: string) =>
  (await findDefinition(store.database, projectID, definitionID))!.graphSha256;
const versionOf = (definitionID: string) =>
  valueOf<number>(store, 'SELECT compiler_version AS value FROM definitions WHERE id = $1', [definitionID]);

test('a definition of an older compiler is compiled again for instances to come, and its old graph stays', async () => {
  const { definitionID, old } = await deployOutdated(model());
  await startInstance(store.database, {
    projectID,
    definitionID,
    workflowID: randomUUID(),
    variables: {},
    startedBy: 'eda',
  });

  await recompileAll({ store: store.database, ...logger() }, never);

  const { sha256, graph } = (await compile(model())).processes[0]!;
  expect(await graphOfDefinition(definitionID)).toBe(sha256);
  expect(await versionOf(definitionID)).toBe(COMPILER_VERSION);
  expect(await loadGraph(store.database, sha256)).toEqual(graph);
  expect(await loadGraph(store.database, old)).toBeDefined();
  const started = await startInstance(store.database, {
    projectID,
    definitionID,
    workflowID: randomUUID(),
    variables: {},
    startedBy: 'eda',
  });
  expect(started).toMatchObject({ kind: 'started' });
});

test('a file that no longer compiles keeps its graph, says why, and does not hold up the others', async () => {
  const broken = await deployOutdated(model('=1 +'));
  const fine = await deployOutdated(model());
  const log = logger();

  await recompileAll({ store: store.database, logger: log.logger }, never);

  expect(await graphOfDefinition(broken.definitionID)).toBe(broken.old);
  expect(await versionOf(broken.definitionID)).toBe(0);
  expect(await versionOf(fine.definitionID)).toBe(COMPILER_VERSION);
  expect(log.lines).toContainEqual(
    expect.objectContaining({
      msg: 'definition keeps the graph of an older compiler',
      definitionID: broken.definitionID,
      reason: expect.stringContaining('not valid FEEL'),
    }),
  );
});

test('a compiler that fails leaves the graph and goes to the next file', async () => {
  const [failed, fine] = [await deployOutdated(model('=1 + 3')), await deployOutdated(model())];
  const failing = (xml: string) =>
    xml === model('=1 + 3') ? Promise.reject(new Error('out of memory')) : compile(xml);

  await recompileAll({ store: store.database, logger: logger().logger, compile: failing }, never);

  expect(await versionOf(failed.definitionID)).toBe(0);
  expect(await versionOf(fine.definitionID)).toBe(COMPILER_VERSION);
});

test('a file that gives other nodes keeps its graph: running instances are shown with it', async () => {
  const graph = (await compile(processFile('<bpmn:startEvent id="other"/>'))).processes[0]!.graph;
  const { definitionID, old } = await deployOutdated(model(), { graph });

  await recompileAll({ store: store.database, ...logger() }, never);

  expect(await graphOfDefinition(definitionID)).toBe(old);
});

test('models that a newer build has compiled stay as they are', async () => {
  const { definitionID, old } = await deployOutdated(model(), { version: COMPILER_VERSION + 1 });

  await recompileAll({ store: store.database, ...logger() }, never);

  expect(await graphOfDefinition(definitionID)).toBe(old);
});

test('two hosts that recompile at once write each definition once', async () => {
  const deployed = await Promise.all(Array.from({ length: 45 }, () => deployOutdated(model())));
  const log = logger();

  await Promise.all([1, 2].map(() => recompileAll({ store: store.database, logger: log.logger }, never)));

  const written = log.lines
    .filter(({ msg }) => msg === 'definition recompiled')
    .map(({ definitionID }) => definitionID);
  expect(written).toHaveLength(new Set(written).size);
  for (const { definitionID } of deployed) expect(await versionOf(definitionID)).toBe(COMPILER_VERSION);
});

test('a host that stops leaves the rest for its next start', async () => {
  const { definitionID } = await deployOutdated(model());
  const stopping = new AbortController();
  stopping.abort();

  await recompileAll({ store: store.database, ...logger() }, stopping.signal);
  expect(await versionOf(definitionID)).toBe(0);

  await recompileAll({ store: store.database, ...logger() }, never);
  expect(await versionOf(definitionID)).toBe(COMPILER_VERSION);
});

test('a file that does not compile is tried once by each process, and one that is deployed later is found', async () => {
  await deployOutdated(model('=1 +'));
  const log = logger();
  const chore = outdatedDefinitions({ store: store.database, logger: log.logger });
  const pass = () => chore.run({ until: Infinity, stopping: never });
  await pass();
  const warnings = log.lines.length;
  const { definitionID } = await deployOutdated(model('=1 + 5'));
  await pass();

  expect(await versionOf(definitionID)).toBe(COMPILER_VERSION);
  expect(log.lines.slice(warnings)).toEqual([expect.objectContaining({ msg: 'definition recompiled', definitionID })]);
});

test('stopping waits for the file being compiled and takes no further one', async () => {
  await Promise.all([deployOutdated(model()), deployOutdated(model())]);
  let calls = 0;
  let begun!: () => void;
  let release!: () => void;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const slow = async (xml: string) => {
    calls += 1;
    begun();
    await released;
    return compile(xml);
  };
  const chore = outdatedDefinitions({ store: store.database, logger: logger().logger, compile: slow });
  const recompiler = startChores({ chores: [chore], logger: logger().logger });
  await hasBegun;
  const stopped = recompiler.stop();
  release();
  await stopped;

  expect(calls).toBe(1);
});
