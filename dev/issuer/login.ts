import type { Middleware } from 'koa';
import type { Provider } from 'oidc-provider';
import { secretOf, type Account, type Accounts } from './accounts.js';
import { loginPage } from './pages.js';
import { readBody } from './request.js';

/** Shows the sign-in page and, once name and password are correct, lets the provider continue. */
export function login(provider: Provider, accounts: Accounts): Middleware {
  return async (context, next) => {
    if (!/^\/login\/[\w-]+$/.test(context.path)) return next();
    if (context.method === 'GET') {
      context.body = loginPage(context.path, false);
      return;
    }
    if (context.method !== 'POST') return next();
    const form = new URLSearchParams(await readBody(context.req));
    const name = form.get('name') ?? '';
    if (!isPerson(accounts.find(name)) || form.get('password') !== secretOf(name)) {
      context.status = 401;
      context.body = loginPage(context.path, true);
      return;
    }
    context.respond = false;
    await provider.interactionFinished(context.req, context.res, { login: { accountId: name } });
  };
}

/** Service accounts have no password, so they do not sign in here. */
function isPerson(account: Account | undefined): boolean {
  return account !== undefined && account.sub === account.name;
}
