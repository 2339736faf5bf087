/** Postgres and Temporal of different moments, as after the restore of an older backup of one of them. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, expect, test, vi } from 'vitest';
import { freePort } from '../../dev/ports.js';
import { findTemporalExecutable } from '../../dev/temporal/executable.js';
import { startTemporalServer, type TemporalServer } from '../../dev/temporal/server.js';
import { untilAllAgree } from '../support/agreement.js';
import { copyDatabaseOf, createDatabase, uniqueName, type TestDatabase } from '../support/infrastructure.js';
import { Installation } from './support/installation.js';
import { openDatabase } from '../support/database.js';

vi.setConfig({ testTimeout: 600_000 });

/** An installation with its Temporal server, whose data is in a file, and its databases; the last one is in use. */
interface World {
  temporal: TemporalServer;
  readonly databases: TestDatabase[];
  readonly installation: Installation;
  /** Copies Temporal's data, or brings it back; neither host nor server runs in the meantime. */
  withTemporalStopped(copy: (file: string) => void): Promise<void>;
}

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-restore-'));
  const databaseFile = join(folder, 'temporal.db');
  const [executable, port] = [await findTemporalExecutable(), await freePort()];
  const startTemporal = () => startTemporalServer({ executable, port, databaseFile, folder });
  const [temporal, database] = await Promise.all([startTemporal(), createDatabase()]);
  const world: World = {
    temporal,
    databases: [database],
    installation: new Installation({
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_TASK_QUEUE: uniqueName('restore'),
    }),
    async withTemporalStopped(copy) {
      await world.installation.stop();
      await world.temporal.child.stop();
      for (const suffix of ['', '-wal', '-shm']) copy(`${databaseFile}${suffix}`);
      world.temporal = await startTemporal();
    },
  };
  closing.push(async () => {
    world.installation.kill();
    await world.temporal.child.stop();
    for (const { drop } of world.databases) await drop();
    rmSync(folder, { recursive: true, force: true });
  });
  await world.installation.start();
  return world;
}

async function expectAgreement({ databases, temporal }: World): Promise<void> {
  const store = openDatabase(databases.at(-1)!.url);
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection });
    await untilAllAgree(store, client);
  } finally {
    await connection.close();
    await store.end();
  }
}

// Both at once: most of their time, reconcilers and resync wait until a difference has lasted.
test.concurrent(
  'an older Temporal: nothing is failed, what differs is named, and everything continues from its rows',
  async () => {
    const world = await openWorld();
    const { installation, withTemporalStopped } = world;
    const definition = await installation.deploy();
    const [untouched, behind, ended] = [
      await installation.begin(definition),
      await installation.begin(definition),
      await installation.begin(definition),
    ];
    await installation.work(ended, 'pick');
    await withTemporalStopped((file) => existsSync(file) && copyFileSync(file, `${file}.backup`));
    await installation.start();
    await installation.work(behind, 'pick', 'pack');
    await installation.work(ended, 'pack', 'send');
    const unknown = await installation.begin(definition);
    await installation.work(unknown, 'pick');
    await installation.untilCompleted(ended);
    await withTemporalStopped((file) => {
      rmSync(file, { force: true });
      if (existsSync(`${file}.backup`)) copyFileSync(`${file}.backup`, file);
    });
    await installation.start();

    const [complaint, looked] = await Promise.all([installation.complaint(), installation.resync()]);
    expect(complaint).toContain('1 of 3 running instances have no open workflow in Temporal');
    const found = [
      `${behind}: at step 3, its workflow at 1: Temporal is older`,
      `${ended}: COMPLETED; its workflow is running: Temporal is older`,
      `${unknown}: RUNNING, at step 2; Temporal has no such workflow`,
    ];
    expect(looked).toEqual({
      code: 1,
      lines: [...found, '3 running instances compared, 3 diverged, 0 repaired'].toSorted(),
    });
    const repaired = await installation.resync('--apply');
    const started = [3, 4, 2].map((step, index) => `${found[index]}; restarted at step ${step}`);
    expect(repaired).toEqual({
      code: 0,
      lines: [...started, '3 running instances compared, 3 diverged, 3 repaired'].toSorted(),
    });

    await installation.work(untouched, 'pick', 'pack', 'send');
    await installation.work(behind, 'send');
    await installation.work(unknown, 'pack', 'send');
    await installation.untilCompleted(untouched, behind, unknown, ended);
    await expectAgreement(world);
  },
);

test.concurrent(
  'an older Postgres: nothing is failed, what is lost is named, and what is left continues from its rows',
  async () => {
    const world = await openWorld();
    const { installation, databases } = world;
    const definition = await installation.deploy();
    const [untouched, ahead, ended] = [
      await installation.begin(definition),
      await installation.begin(definition),
      await installation.begin(definition),
    ];
    await installation.work(ahead, 'pick');
    await installation.stop();
    const backup = await copyDatabaseOf(databases[0]!);
    databases.push(backup);
    await installation.start();
    await installation.work(ahead, 'pack');
    await installation.work(ended, 'pick', 'pack', 'send');
    const unknown = await installation.begin(definition);
    await installation.work(unknown, 'pick');
    await installation.untilCompleted(ended);
    await installation.stop();
    await installation.start({ DATABASE_URL: backup.url });

    expect(await installation.complaint()).toContain('1 of 3 running instances have no open workflow in Temporal');
    const found = [
      `${ahead}: at step 2, its workflow at 3: the later steps are lost in Postgres`,
      `${ended}: RUNNING, at step 1; its workflow has completed: the later steps are lost in Postgres`,
      `${unknown}: its workflow is running; Postgres has no such instance: its start is lost`,
    ];
    const started = [2, 1].map((step, index) => `${found[index]}; restarted at step ${step}`);
    const repaired = await installation.resync('--apply');
    expect(repaired).toEqual({
      code: 1,
      lines: [...started, found[2], '3 running instances compared, 3 diverged, 2 repaired'].toSorted(),
    });
    const terminated = await installation.resync('--apply', '--terminate-unknown');
    expect(terminated).toEqual({
      code: 0,
      lines: [`${found[2]}; terminated`, '3 running instances compared, 1 diverged, 1 repaired'].toSorted(),
    });

    expect(await installation.statusOf(unknown)).toBeUndefined();
    await installation.work(untouched, 'pick', 'pack', 'send');
    await installation.work(ahead, 'pack', 'send');
    await installation.work(ended, 'pick', 'pack', 'send');
    await installation.untilCompleted(untouched, ahead, ended);
    await expectAgreement(world);
  },
);
