/** Operations that tests bring along to look at the doors: small, without a database, one of each kind. */
import { z } from 'zod';
import { defineOperation } from '../../../api/commands/define-operation.js';
import { onlyItsPath } from '../../../api/contract/audit/recording.js';
import type { Operation } from '../../../api/commands/operation.js';
import { notFound, problem } from '../../../api/contract/problem.js';
import { givenTimestamp, pageQuery } from '../../../api/contract/schemas.js';
import { projectRoles } from '../../../api/contract/roles.js';

/** Answers what it was given: the door's view of body, query and headers. */
export const echo = defineOperation({
  operationID: 'Echo',
  method: 'POST',
  records: { entry: 'within', says: onlyItsPath },
  path: '/projects/{projectID}/echo/{thingID}',
  role: 'executor',
  summary: 'Gives back what the handler got.',
  request: {
    query: z.strictObject({ ...pageQuery, since: givenTimestamp.optional() }),
    body: z.strictObject({
      variables: z.record(z.string(), z.unknown()).optional(),
      name: z.string().max(255).optional(),
    }),
  },
  responses: { 200: { description: 'The received value.', schema: z.unknown() } },
  problems: [],
  accepts: ['Idempotency-Key'],
  waits: 'outcome',
}).handle(async ({ params, query, body, headers, caller }) => ({
  status: 200,
  body: { params, query, body, headers, subject: caller.subject },
}));

/** Finds the thing called `known`, finds the thing called `busy` in the wrong state. */
export const getThing = defineOperation({
  operationID: 'GetThing',
  method: 'GET',
  path: '/projects/{projectID}/things/{thingID}',
  role: 'viewer',
  summary: 'Finds one thing.',
  request: {},
  responses: { 200: { description: 'The thing.', schema: z.strictObject({ thingID: z.string() }) } },
  problems: ['CONFLICT'],
}).handle(async ({ params }) => {
  if (params.thingID === 'busy') return problem('CONFLICT', 'The thing is busy.');
  if (params.thingID !== 'known') return notFound(`no thing ${params.thingID} in project ${params.projectID}`);
  return { status: 200, body: { thingID: params.thingID } };
});

/** The same path as GetThing with another method, and no body. */
export const deleteThing = defineOperation({
  operationID: 'DeleteThing',
  method: 'DELETE',
  records: { entry: 'within', says: onlyItsPath },
  path: '/projects/{projectID}/things/{thingID}',
  role: 'editor',
  summary: 'Deletes one thing.',
  request: {},
  responses: { 204: { description: 'Thing deleted.' } },
  problems: [],
}).handle(async () => ({ status: 204 }));

/** A literal segment where another operation has a parameter. */
export const listLatestThings = defineOperation({
  operationID: 'ListLatestThings',
  method: 'GET',
  path: '/projects/{projectID}/things/latest',
  role: 'viewer',
  summary: 'Lists the latest things.',
  request: {},
  responses: { 200: { description: 'The things.', schema: z.array(z.string()) } },
  problems: [],
}).handle(async () => ({ status: 200, body: ['latest'] }));

/** Asks the database, which tests without one have put out of reach. */
export const askStore = defineOperation({
  operationID: 'AskStore',
  method: 'GET',
  path: '/projects/{projectID}/store',
  role: 'viewer',
  summary: 'Asks the database.',
  request: {},
  responses: { 200: { description: 'It answered.' } },
  problems: [],
}).handle(async ({ context }) => {
  await context.store.query('SELECT 1');
  return { status: 200 };
});

/** Fails as our own mistakes do. */
export const failing = defineOperation({
  operationID: 'Failing',
  method: 'GET',
  path: '/projects/{projectID}/failing',
  role: 'viewer',
  summary: 'Throws.',
  request: {},
  responses: { 200: { description: 'Never.' } },
  problems: [],
}).handle(async () => {
  throw new Error('secret detail of the failure: SELECT password FROM accounts');
});

export const createThing = defineOperation({
  operationID: 'CreateThing',
  method: 'POST',
  records: { entry: 'within', says: onlyItsPath },
  path: '/things',
  role: 'org-admin',
  summary: 'Only for organization admins.',
  request: {},
  responses: { 201: { description: 'Created.' } },
  problems: [],
}).handle(async () => ({ status: 201 }));

export const listThings = defineOperation({
  operationID: 'ListThings',
  method: 'GET',
  path: '/things',
  role: 'authenticated',
  summary: 'For everyone with a token.',
  request: {},
  responses: { 200: { description: 'The things.', schema: z.array(z.string()) } },
  problems: [],
}).handle(async () => ({ status: 200, body: [] }));

/** One operation for each project role. */
export const operationsOfRoles: readonly Operation[] = projectRoles.map((role) =>
  defineOperation({
    operationID: `Needs-${role}`,
    method: 'POST',
    records: { entry: 'within', says: onlyItsPath },
    path: `/projects/{projectID}/needs-${role}`,
    role,
    summary: `Needs ${role}.`,
    request: {},
    responses: { 204: { description: 'Allowed.' } },
    problems: [],
  }).handle(async () => ({ status: 204 })),
);

export const testOperations: readonly Operation[] = [
  echo,
  getThing,
  deleteThing,
  listLatestThings,
  askStore,
  failing,
  createThing,
  listThings,
  ...operationsOfRoles,
];
