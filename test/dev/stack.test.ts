import pg from 'pg';
import { Connection } from '@temporalio/client';
import { expect, it } from 'vitest';
import { searchAttributes } from '../../dev/temporal/server.js';
import { createEmptyDatabase, temporalAddress } from '../support/infrastructure.js';

it('the stack gives every test its own database on a real Postgres', async () => {
  const [one, other] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  const client = new pg.Client({ connectionString: one.url });
  await client.connect();

  const { rows } = await client.query(
    "SELECT current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone, 'ß' < 'z' AS by_code_point",
  );

  expect(rows).toEqual([{ encoding: 'UTF8', zone: 'UTC', by_code_point: false }]);
  expect(one.url).not.toBe(other.url);
  await client.end();
  await Promise.all([one.drop(), other.drop()]);
});

it('the stack has a real Temporal server with the search attributes of the host', async () => {
  const connection = await Connection.connect({ address: await temporalAddress() });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });

  expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(searchAttributes)));
  await connection.close();
});
