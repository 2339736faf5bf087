/** Every operation of the product, every role, every relation to the project: a new operation is in here by itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../../api/commands/operation.js';
import { operations } from '../../../api/operations/index.js';
import { includesRole, projectRoles } from '../../../api/contract/roles.js';
import type { ProjectRole } from '../../../api/contract/roles.js';
import { withoutRequestID } from '../support/same-request.js';
import { startTestApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { minimalBody } from '../../access/support/minimal-body.js';
import { createThing, listThings, operationsOfRoles } from '../support/operations.js';

// The database refuses connections: what is decided without it must not need it, and what passes the access check
// shows itself by another answer (400 or 503).
let api: TestApi;
const all = [...operations, createThing, listThings, ...operationsOfRoles];

beforeAll(async () => {
  // More requests at once than one caller may send.
  api = await startTestApi({ operations: all, configuration: { requestRate: { perSecond: 1e6, burst: 1e6 } } });
});
afterAll(() => api.close());

const sampleID = 'af0c2c7e-3a0b-4c58-9d6c-0a4b3f8a9d11';

function pathOf(operation: Operation, projectID: string): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => (name === 'projectID' ? projectID : sampleID));
}

/** The true reason of the answer: `denied` when the caller lacks a right. */
async function outcome(
  operation: Operation,
  projectID: string,
  token?: string,
): Promise<{ status: number; denied: boolean; body: string }> {
  const path = pathOf(operation, projectID);
  const response = await api.request(operation.method, path, token === undefined ? {} : { token });
  const requestID = response.headers.get('x-request-id')!;
  const body = withoutRequestID(await response.text(), response.headers);
  const line = api.logs().findLast((candidate) => candidate['requestID'] === requestID && 'status' in candidate);
  return { status: response.status, denied: String(line?.['reason'] ?? '').startsWith('the caller is'), body };
}

const tokens = new Map<string, Promise<string>>();

/** The same for each operation: signing takes as long as a request. */
function tokenWith(projectID: string, role: ProjectRole): Promise<string> {
  const sub = `${projectID}-${role}`;
  const known = tokens.get(sub) ?? api.issuer.sign({ sub, projects: [{ id: projectID, roles: [role] }] });
  tokens.set(sub, known);
  return known;
}

for (const operation of all) {
  describe(operation.operationID, () => {
    const needed = projectRoles.find((role) => role === operation.role);
    if (operation.role === 'public') answersWithoutToken(operation);
    else needsToken(operation);
    if (needed !== undefined) needsProjectRole(operation, needed);
    if (operation.role === 'org-admin') needsOrganisationAdmin(operation);
    if (operation.role === 'system-admin') needsSystemAdmin(operation);
    if (operations.includes(operation)) staysWellWithoutDatabase(operation);
    answersNoOtherMethod(operation);
  });
}

function answersWithoutToken(operation: Operation): void {
  test('answers without a token', async () => {
    expect((await outcome(operation, 'p1')).status).not.toBe(401);
  });
}

function needsToken(operation: Operation): void {
  test('returns 401 without a token', async () => {
    expect((await outcome(operation, 'p1')).status).toBe(401);
  });
}

function needsProjectRole(operation: Operation, needed: ProjectRole): void {
  test('returns the uniform 404 to members of other projects, whatever their role', async () => {
    const unknown = await outcome(operation, 'unknown', await tokenWith('p2', 'admin'));
    expect(unknown).toMatchObject({ status: 404, denied: true });
    for (const role of projectRoles) {
      expect(await outcome(operation, 'p1', await tokenWith('p2', role))).toEqual(unknown);
    }
    expect(
      await outcome(operation, 'p1', await api.issuer.sign({ roles: ['admin', 'viewer'], groups: ['admin'] })),
    ).toEqual(unknown);
  });

  test.each(projectRoles)('decides on a member who is %s by the role it declares', async (role) => {
    const { status, denied, body } = await outcome(operation, 'p1', await tokenWith('p1', role));
    const allowed = includesRole(role, needed);
    expect(denied).toBe(!allowed);
    expect(status).not.toBe(401);
    expect(status).not.toBe(403);
    if (!allowed) expect(body).toBe((await outcome(operation, 'unknown', await tokenWith('p1', role))).body);
  });
}

function needsOrganisationAdmin(operation: Operation): void {
  test('is for organization and system admins only', async () => {
    expect((await outcome(operation, '', await api.issuer.sign({ roles: ['user'] }))).denied).toBe(true);
    expect((await outcome(operation, '', await tokenWith('p1', 'admin'))).denied).toBe(true);
    expect((await outcome(operation, '', await api.issuer.sign({ roles: ['admin'] }))).denied).toBe(false);
    expect((await outcome(operation, '', await api.issuer.sign({ roles: ['system-admin'] }))).denied).toBe(false);
  });
}

function needsSystemAdmin(operation: Operation): void {
  test('is for system admins only: 404 to anyone else, organization admins and admins of projects included', async () => {
    for (const token of [
      await api.issuer.sign({ roles: ['user'] }),
      await api.issuer.sign({ roles: ['admin'] }),
      await api.issuer.sign({ groups: ['system-admin'] }),
      await tokenWith('p1', 'admin'),
    ])
      expect(await outcome(operation, '', token)).toMatchObject({ status: 404, denied: true });
    expect((await outcome(operation, '', await api.issuer.sign({ roles: ['system-admin'] }))).denied).toBe(false);
  });
}

function staysWellWithoutDatabase(operation: Operation): void {
  test('returns 503 with Retry-After rather than 500 while the database is down', async () => {
    const token = await api.issuer.sign({ roles: ['admin'], projects: [{ id: 'p1', roles: ['admin'] }] });
    const body = operation.request.body && minimalBody(operation.request.body);
    const response = await api.request(operation.method, pathOf(operation, 'p1'), {
      token,
      ...(body === undefined ? {} : { json: body }),
    });
    expect(response.status).not.toBe(500);
    if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });
}

function answersNoOtherMethod(operation: Operation): void {
  test('refuses unsupported methods', async () => {
    const token = await api.issuer.sign({ roles: ['system-admin'] });
    const path = pathOf(operation, 'p1');
    const supported = all.filter((other) => other.path === operation.path).map(({ method }) => method as string);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (candidate) => !supported.includes(candidate),
    )) {
      expect((await api.request(method, path, { token })).status, method).toBe(405);
      expect((await api.request(method, path)).status, method).toBe(401);
    }
  });
}
