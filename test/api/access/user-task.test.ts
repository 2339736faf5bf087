import { describe, expect, test } from 'vitest';
import { callerFromClaims } from '../../../api/access/claims.js';
import { readAccessConfiguration } from '../../../api/access/settings/configuration.js';
import { mayWorkOnTask } from '../../../api/access/user-task.js';
import type { TaskAssignment } from '../../../api/access/user-task.js';

const { configuration } = readAccessConfiguration({ OIDC_ISSUER: 'https://id.example' });
const issuer = configuration!.issuers[0]!;

function may(claims: Record<string, unknown>, task: TaskAssignment): boolean {
  return mayWorkOnTask(callerFromClaims(claims, String(claims['sub'] ?? 'alice'), issuer, new Map()), 'p1', task);
}

const viewer = { projects: [{ id: 'p1', roles: ['viewer'] }] };
const executor = { projects: [{ id: 'p1', roles: ['executor'] }] };

describe('a viewer may work on a task', () => {
  test('that is assigned to them, or names them as a candidate', () => {
    expect(may(viewer, { assignee: 'alice' })).toBe(true);
    expect(may(viewer, { candidateUsers: ['bob', 'alice'] })).toBe(true);
    expect(may({ ...viewer, groups: ['clerks'] }, { candidateGroups: ['clerks'] })).toBe(true);
  });

  test('through the roles claim as group only where the token has no groups claim', () => {
    expect(may({ ...viewer, roles: ['clerks'] }, { candidateGroups: ['clerks'] })).toBe(true);
    expect(may({ ...viewer, roles: ['clerks'], groups: [] }, { candidateGroups: ['clerks'] })).toBe(false);
  });

  test('but not on one that names no one or another person', () => {
    expect(may(viewer, {})).toBe(false);
    expect(may(viewer, { assignee: null, candidateUsers: null, candidateGroups: null })).toBe(false);
    expect(may(viewer, { assignee: 'Alice' })).toBe(false);
  });

  test('but not by a name that can be changed at the provider', () => {
    expect(may({ ...viewer, preferred_username: 'bob', email: 'bob', name: 'bob' }, { assignee: 'bob' })).toBe(false);
  });
});

test('without membership the exception opens nothing', () => {
  expect(may({}, { assignee: 'alice' })).toBe(false);
  expect(may({ projects: [{ id: 'p2', roles: ['admin'] }], groups: ['clerks'] }, { candidateGroups: ['clerks'] })).toBe(
    false,
  );
});

test('an executor may work on any task of the project', () => {
  expect(may(executor, { assignee: 'bob' })).toBe(true);
});
