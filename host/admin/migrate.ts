/** `npm run migrate`: migrates the database to the schema of this build before a host of it starts. */
import { readWorkerConfig, runCommand, type ExitCode } from './command.js';

await runCommand(
  {
    name: 'migrate',
    summary: 'Migrates the database to the schema of this build. Hosts do the same when they start.',
    synopsis: '',
    flags: {},
    exitCodes: {
      0: 'the database has the schema of this build',
      1: 'the schema is of a build before the first release, or the role may not change it; nothing was changed',
    },
  },
  migrateDatabase,
);

async function migrateDatabase(): Promise<ExitCode> {
  const { databaseUrl } = await readWorkerConfig();
  const { ForeignSchemaError, migrate, SchemaRightsError } = await import('../../store/migrate.js');
  const { requireSessions } = await import('../../store/connections/require-sessions.js');
  await requireSessions(databaseUrl);
  try {
    const applied = await migrate(databaseUrl);
    process.stdout.write(applied.length > 0 ? `Migrated: ${applied.join(', ')}\n` : 'Nothing to migrate.\n');
    return 0;
  } catch (error) {
    if (!(error instanceof ForeignSchemaError || error instanceof SchemaRightsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
