/**
 * A Postgres with what a restore to the last commit needs: its write-ahead log on another disk than its data (here: in
 * another folder), every finished segment of it in an archive, and a base backup.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabaseIfMissing, startPostgres, type Postgres } from '../../../dev/postgres/cluster.js';
import { freePort } from '../../../dev/ports.js';

export class ArchivedPostgres {
  readonly url: string;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private postgres: Postgres,
  ) {
    this.url = postgres.databaseUrl('perdure');
  }

  static async start(folder: string): Promise<ArchivedPostgres> {
    const port = await freePort();
    const first = await startPostgres(optionsOf(folder, port));
    await first.child.stop();
    const [data, wal] = [join(folder, 'data'), join(folder, 'wal')];
    renameSync(join(data, 'pg_wal'), wal);
    symlinkSync(wal, join(data, 'pg_wal'));
    mkdirSync(join(folder, 'archive'));
    giveTo(data, join(folder, 'archive'));
    const postgres = await startPostgres(optionsOf(folder, port));
    await createDatabaseIfMissing(postgres, 'perdure');
    return new ArchivedPostgres(folder, port, postgres);
  }

  /** Copies the data while Postgres works, between the two calls that make such a copy one that can be restored. */
  async backUp(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('drill', fast => true)");
      copyFolder(this.#data, this.#backup);
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
      rmSync(join(this.#backup, 'postmaster.pid'));
      this.#write('backup_label', rows[0]!.labelfile);
    } finally {
      await client.end();
    }
  }

  /** Kills Postgres during its work and takes its data away. */
  async lose(): Promise<void> {
    this.postgres.child.kill();
    await this.postgres.child.ended;
    rmSync(this.#data, { recursive: true });
  }

  /** From the base backup, the archive, and the part of the write-ahead log that was not archived yet. */
  async restore(): Promise<void> {
    this.#write('recovery.signal', '');
    copyFolder(this.#backup, this.#data);
    this.postgres = await startPostgres(optionsOf(this.folder, this.port));
  }

  async stop(): Promise<void> {
    await this.postgres.child.stop();
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  get #backup(): string {
    return join(this.folder, 'backup');
  }

  #write(name: string, content: string): void {
    const file = join(this.#backup, name);
    writeFileSync(file, content);
    giveTo(this.#backup, file);
  }
}

function optionsOf(folder: string, port: number) {
  const archive = join(folder, 'archive');
  const settings = {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    restore_command: `cp ${archive}/%f %p`,
  };
  return { dataFolder: join(folder, 'data'), folder, port, password: 'drill', settings };
}

/** With owners and links. Files may vanish while they are copied; the write-ahead log has their outcome. */
function copyFolder(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  const failures = stderr.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'));
  if (status !== 0 && failures.length > 0) throw new Error(`${from} could not be copied: ${failures.join('; ')}`);
}

/** To the account that Postgres runs under, which differs from that of the test if it runs as root. */
function giveTo(likeThis: string, path: string): void {
  const { uid, gid } = statSync(likeThis);
  chownSync(path, uid, gid);
}
