import { randomBytes } from 'node:crypto';
import { Provider, type ClientMetadata, type Configuration, type JWK, type KoaContextWithOIDC } from 'oidc-provider';
import { accountNames, secretOf, subjectOfServiceAccount, type Account, type Accounts } from './accounts.js';
import { isLoopbackUrl } from './loopback.js';
import { createMemoryAdapter } from './memory-adapter.js';
import { errorPage, signOutPage } from './pages.js';

/** The only resource that tokens are for; its audience is the one that the host expects. */
const apiResource = 'urn:perdure:api';
const scopes = 'openid profile offline_access';
const minute = 60;
const hour = 60 * minute;

export interface ProviderOptions {
  issuer: string;
  audience: string;
  signingKey: JWK;
  accounts: Accounts;
}

/** The OpenID provider: authorization code flow with PKCE for the console, client credentials for service accounts. */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configuration(options));
  allowConsoleOnAnyLoopbackPort(provider);
  return provider;
}

function configuration({ audience, signingKey, accounts }: ProviderOptions): Configuration {
  return {
    adapter: createMemoryAdapter(),
    clients: [consoleClient, ...accountNames.map(serviceAccount)],
    jwks: { keys: [signingKey] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    scopes: scopes.split(' '),
    claims: { openid: ['sub'], profile: ['name', 'roles', 'groups', 'projects'] },
    // The console reads the claims from the ID token, without a further request.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    responseTypes: ['code'],
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    clientBasedCORS: (_context, origin) => isLoopbackUrl(origin),
    interactions: { url: (_context, interaction) => `/login/${interaction.uid}` },
    loadExistingGrant: grantEverything,
    findAccount: async (_context, sub) => {
      const account = accounts.find(sub);
      return account && { accountId: sub, claims: async () => ({ ...account }) };
    },
    extraTokenClaims: (_context, token) => {
      if (token.kind !== 'ClientCredentials') return claimsOf(accounts.find(token.accountId));
      // Their `sub` is not the client, as a user has its name. This claim tells the host that it is a service account.
      const claims = claimsOf(accounts.find(subjectOfServiceAccount(token.clientId ?? '')));
      return { ...claims, gty: 'client-credentials' };
    },
    formats: {
      customizers: {
        jwt(_context, token, jwt) {
          if (token.kind === 'ClientCredentials') jwt.payload.sub = subjectOfServiceAccount(token.clientId ?? '');
        },
      },
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => apiResource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: scopes,
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => void (context.body = signOutPage(form)),
      },
    },
    renderError: (context, { error, error_description: description }) => {
      context.type = 'html';
      context.body = errorPage(error, description ?? '');
    },
    ttl: {
      AccessToken: 10 * minute,
      ClientCredentials: hour,
      AuthorizationCode: minute,
      IdToken: hour,
      RefreshToken: 14 * 24 * hour,
      Interaction: hour,
      Session: 14 * 24 * hour,
      Grant: 14 * 24 * hour,
    },
  };
}

const consoleClient: ClientMetadata = {
  client_id: 'console',
  client_name: 'Perdure console',
  application_type: 'web',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  // Represents all those that `allowConsoleOnAnyLoopbackPort` accepts.
  redirect_uris: ['http://127.0.0.1/console/'],
  post_logout_redirect_uris: ['http://127.0.0.1/console/'],
};

function serviceAccount(name: string): ClientMetadata {
  return {
    client_id: name,
    client_secret: secretOf(name),
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  };
}

/** The API's port is configurable, so the redirect may go to any console page on this machine. */
function allowConsoleOnAnyLoopbackPort(provider: Provider): void {
  const allowed = (uri: string) => isLoopbackUrl(uri) && new URL(uri).pathname.startsWith('/console/');
  provider.Client.prototype.redirectUriAllowed = allowed;
  provider.Client.prototype.postLogoutRedirectUriAllowed = allowed;
}

/** No consent prompt: the console and the issuer belong together. */
async function grantEverything(context: KoaContextWithOIDC) {
  const { client, session, provider } = context.oidc;
  const clientId = client?.clientId ?? '';
  const known = session?.grantIdFor(clientId);
  const existing = known === undefined ? undefined : await provider.Grant.find(known);
  if (existing !== undefined) return existing;
  const grant = new provider.Grant({ clientId, accountId: session?.accountId ?? '' });
  grant.addOIDCScope(scopes);
  grant.addResourceScope(apiResource, scopes);
  await grant.save();
  return grant;
}

function claimsOf(account: Account | undefined): Omit<Account, 'sub'> | undefined {
  if (account === undefined) return undefined;
  const { sub: _sub, ...claims } = account;
  return claims;
}
