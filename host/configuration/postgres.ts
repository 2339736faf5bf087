/** Variables of the connection to Postgres. */
import { text, wholeNumber, type Kind } from '@perdure/configuration/kinds.js';
import { variable } from '@perdure/configuration/variable.js';

const { schema, expected } = text('a Postgres URL such as postgres://user:password@localhost:5432/perdure');
const postgresUrl: Kind<string> = { schema: schema.refine(isPostgresUrl), expected };

export const postgresSection = {
  title: 'Postgres',
  variables: {
    DATABASE_URL: variable({
      kind: postgresUrl,
      isRequired: true,
      isSecret: true,
      defaultInWords: '`npm start` brings up Postgres',
      description: 'The database of the host.',
    }),
    DATABASE_CONNECTIONS: variable({
      kind: wholeNumber(8, 1_000),
      default: '32',
      description:
        'Maximum connections of one process, plus one that listens. Of 32, 14 are for steps, 10 for ' +
        'requests, and 8 for background work; other values are split in the same proportion.',
    }),
  },
};

function isPostgresUrl(given: string): boolean {
  return URL.canParse(given) && ['postgres:', 'postgresql:'].includes(new URL(given).protocol);
}
