/**
 * A move from a real engine: `npm run import-proof` builds Operaton with Maven, moves instances in every wait state while new
 * ones start, kills the move in each process, takes one process back, and finishes each instance in both engines.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { convertModel } from '@perdure/convert';
import { compiledScript } from '../../../dev/repository.js';
import { exitCodes } from '../../../packages/cli/command.js';
import { MemoryHost } from '../../../packages/testkit/memory-host.js';
import { startClientHost, type ClientHost } from '../../client/support/host.js';
import { runWith, type Said } from '../support/run.js';
import { Here } from './support/here.js';
import { startOperaton, type Operaton } from '../../support/hosts/operaton.js';
import { modelsHere, movingProcesses, type MovingProcess, type Step } from './support/processes.js';
import { There } from './support/there.js';

/** In all processes together, without those that start during the move. */
const INSTANCES = Number(process.env['IMPORT_INSTANCES'] || 0);
const OF_EACH = Math.ceil(INSTANCES / movingProcesses.length);
const STARTED_DURING_THE_MOVE = 4;
const AT_ONCE = 8;
/** Lines of the log until the move of a process is killed: each instance takes three. */
const linesBefore = (index: number) => 2 + ((1 + 7 * index) % Math.max(3, 2 * OF_EACH));

vi.setConfig({ testTimeout: 900_000, hookTimeout: 600_000 });

it.each(movingProcesses)('the models of $key run here after the conversion', async (moving) => {
  const findings = moving.models.flatMap((xml) => convertModel(xml).findings);
  expect(findings.filter(({ outcome }) => outcome === 'unsupported')).toEqual([]);
  const host = await MemoryHost.deploy(...modelsHere(moving));
  const variables = Object.entries(moving.variables(1)).map(([name, { value }]) => [name, value]);
  expect(host.start(moving.key, Object.fromEntries(variables)).state.status).toBe('RUNNING');
});

/** One that moves: the root, and all that it has called when it moves. */
interface Pair {
  number: number;
  id: string;
  workflowID: string;
  /** Ids there. */
  tree: string[];
}

describe.skipIf(INSTANCES === 0)('a move from Operaton', () => {
  const stopping = new AbortController();
  let folder: string;
  let host: ClientHost;
  let engine: Operaton;
  let there: There;
  let here: Here;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perdure-operaton-'));
    engine = await startOperaton(folder);
    host = await startClientHost();
    there = new There(engine);
    here = new Here(host);
    for (const moving of movingProcesses) {
      await engine.deploy(...moving.models);
      await here.deploy(moving);
    }
  });
  afterAll(async () => {
    stopping.abort();
    await host?.close();
    await engine?.stop();
    rmSync(folder, { recursive: true });
  });

  const environment = () => ({
    PERDURE_API: host.api,
    PERDURE_TOKEN_ENDPOINT: host.tokenEndpoint,
    PERDURE_CLIENT_ID: 'admin',
    PERDURE_CLIENT_SECRET: 'dev-admin',
  });
  const logOf = (key: string) => join(folder, `${key}.jsonl`);
  const words = (key: string, ...more: string[]) => {
    return ['import', 'camunda7', '--url', engine.url, '--process', key, '--log', logOf(key), ...more];
  };
  const move = (key: string, ...more: string[]) => runWith(words(key, ...more), environment(), folder);

  const startAll = (moving: MovingProcess, first: number, count: number) =>
    eachOf(
      Array.from({ length: count }, (_, index) => first + index),
      (number) => there.start(moving, number),
    );

  /** Kills the move once its log has so many lines, while new instances start. */
  async function moveAndKill(moving: MovingProcess, lines: number, startMore: () => Promise<void>): Promise<void> {
    const child = spawn(process.execPath, [compiledScript('packages/cli/main.js'), ...words(moving.key)], {
      cwd: folder,
      env: { ...process.env, ...environment() },
      stdio: 'ignore',
    });
    const ended = new Promise<string | null>((resolve) => void child.once('exit', (_, signal) => resolve(signal)));
    const log = logOf(moving.key);
    const isFar = () => existsSync(log) && readFileSync(log, 'utf8').split('\n').length > lines;
    const starting = startMore();
    starting.catch(() => undefined);
    while (child.exitCode === null && !isFar()) await delay(5);
    child.kill('SIGKILL');
    expect(await ended, `${moving.key} was killed`).toBe('SIGKILL');
    await starting;
  }

  /** Until none has begun since, and the engine has tried all its jobs. */
  async function moveRest({ key }: MovingProcess): Promise<Said> {
    for (;;) {
      const said = await move(key);
      const isPassing = said.out.some((line) => /run the command again$|Let the engine finish it first$/.test(line));
      if (!isPassing) return said;
      await there.untilTried(key);
    }
  }

  async function pairsOf(ids: readonly string[]): Promise<Pair[]> {
    return eachOf([...ids.entries()], async ([index, id]) => {
      const found = await here.imported(id);
      expect(found, `${id} is here once`).toHaveLength(1);
      expect((await engine.call('GET', `/process-instance/${id}`)).suspended, `${id} waits there`).toBe(true);
      return { number: index + 1, id, workflowID: found[0]!.workflowID, tree: await there.tree(id) };
    });
  }

  async function play(pairs: readonly Pair[], step: Step): Promise<void> {
    if (step.do === 'signal') {
      await Promise.all([there.signal(step.at), here.signal(step.at)]);
      await eachOf(pairs, ({ workflowID }) => here.untilHeard(workflowID, step.at));
      return;
    }
    const own = pairs.filter(({ number }) => step.of?.(number) ?? true);
    await eachOf(own, async ({ id, workflowID, number }) => {
      if (await isRunning(id)) await there.act(id, step);
      await here.act(workflowID, step).catch((error: unknown) => {
        throw new Error(`Instance ${number}, ${step.do} ${step.at}: ${String(error)}`, { cause: error });
      });
    });
  }

  const isRunning = (id: string) =>
    engine.call('GET', `/process-instance/${id}`).then(
      () => true,
      () => false,
    );

  async function expectEqualEnds(pairs: readonly Pair[], movedAt: number): Promise<void> {
    await eachOf(pairs, async ({ number, tree }) => {
      for (const id of tree) {
        const [twin] = await here.imported(id);
        const [one, other] = [await there.ending(id, movedAt), await here.ending(twin!.workflowID)];
        expect({ number, ...other }).toEqual({ number, ...one });
        expect(one.status).toBe('COMPLETED');
      }
    });
  }

  it.each([...movingProcesses.entries()])(
    'instances of process %i are moved once although the move is killed, and end as their twins do',
    async (index, moving) => {
      const { key } = moving;
      const ids = await startAll(moving, 1, OF_EACH);
      await eachOf([...ids.entries()], ([before, id]) => there.prepare(moving, before + 1, id));
      await there.untilTried(key);
      const rehearsal = await move(key, '--dry-run');
      const reasons = rehearsal.out.filter((line) => line.startsWith('  '));
      expect({ code: rehearsal.code, reasons, last: rehearsal.out.at(-1) }).toEqual({
        code: exitCodes.done,
        reasons: [],
        last: `${OF_EACH} instances: ${OF_EACH} can be moved, 0 cannot`,
      });
      await moveAndKill(moving, linesBefore(index), async () => {
        ids.push(...(await startAll(moving, OF_EACH + 1, STARTED_DURING_THE_MOVE)));
      });
      const moved = await moveRest(moving);
      expect(moved, moved.out.slice(-5).join('\n')).toMatchObject({ code: exitCodes.done, errors: [] });
      if (index === 0) await takeBackAndMoveAgain(moving, ids);
      const pairs = await pairsOf(ids);
      const working = here.work(moving, stopping.signal);
      working.catch(() => undefined);
      const movedAt = Date.now();
      await eachOf(
        pairs.flatMap(({ tree }) => tree),
        (id) => there.resume(id),
      );
      for (const step of moving.after) await play(pairs, step);
      await expectEqualEnds(pairs, movedAt);
    },
  );

  /** Nothing has happened to them: no worker has started. */
  async function takeBackAndMoveAgain(moving: MovingProcess, ids: readonly string[]): Promise<void> {
    const { key } = moving;
    const workflowIDs = (await pairsOf(ids)).map(({ workflowID }) => workflowID);
    const back = await move(key, '--rollback');
    expect({ code: back.code, last: back.out.at(-1) }).toEqual({
      code: exitCodes.done,
      last: `${ids.length} taken back, 0 left alone; log: ${logOf(key)}`,
    });
    for (const id of ids) expect((await engine.call('GET', `/process-instance/${id}`)).suspended).toBe(false);
    await eachOf(workflowIDs, (workflowID) => here.erase(workflowID));
    rmSync(logOf(key));
    expect((await move(key)).code).toBe(exitCodes.done);
  }
});

/** A few at once, in order. */
async function eachOf<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = Array(items.length);
  const next = items.entries();
  const worker = async () => {
    for (const [index, item] of next) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
