/**
 * The endpoint through which the host changes project memberships. Development only: a real issuer has its own API.
 *
 *     GET    /administration/accounts                              -> 200 [Account]
 *     PUT    /administration/projects/{projectID}/members/{sub}    {"roles": ["viewer"]} -> 200 Account
 *     DELETE /administration/projects/{projectID}/members/{sub}    -> 200 Account
 *
 * Every request carries `Authorization: Bearer` and the secret that the supervisor generated for the host and the
 * issuer. Changes appear in tokens issued afterward.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import type { Accounts } from './accounts.js';
import { readBody } from './request.js';

const memberPath = /^\/administration\/projects\/([^/]+)\/members\/([^/]+)$/;
const rolesBody = z.strictObject({ roles: z.array(z.string().min(1).max(64)).max(16) });

export function administration(accounts: Accounts, secret: string): Middleware {
  return async (context, next) => {
    if (!context.path.startsWith('/administration/')) return next();
    if (!isAuthorized(context, secret)) return context.throw(401);
    if (context.path === '/administration/accounts' && context.method === 'GET') {
      context.body = accounts.list();
      return;
    }
    const [projectID, subject] = (memberPath.exec(context.path) ?? []).slice(1).map(decoded);
    if (projectID === undefined || subject === undefined) return context.throw(404);
    const roles = await requestedRoles(context);
    const account = accounts.setRoles(subject, projectID, roles);
    if (account === undefined) return context.throw(404, `There is no account ${subject}`);
    context.body = account;
  };
}

/** A path segment; undefined if its percent-encoding is invalid. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

async function requestedRoles(context: Context): Promise<string[]> {
  if (context.method === 'DELETE') return [];
  if (context.method !== 'PUT') return context.throw(405);
  const body = rolesBody.safeParse(parseJson(await readBody(context.req)));
  return body.success ? body.data.roles : context.throw(400, 'The body must be {"roles": [names]}');
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function isAuthorized(context: Context, secret: string): boolean {
  const given = Buffer.from(context.get('authorization'));
  const expected = Buffer.from(`Bearer ${secret}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
