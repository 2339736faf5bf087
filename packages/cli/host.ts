/** The host that a command calls: the configured one, or the one that `npm start` runs in this checkout. */
import { accessTokens, unwrap, createClient, ApiError, type PerdureClient, type Schemas } from '@perdure/client';
import { WrongUse } from './command.js';
import { findDevelopmentProfile, type DevelopmentProfile } from './development-profile.js';

export interface Host {
  client: PerdureClient;
  projectID: string;
}

export type Environment = { readonly [name: string]: string | undefined };

interface Selection {
  environment: Environment;
  /** The current folder. */
  folder: string;
  api: string | undefined;
  project: string | undefined;
}

const credentials = ['PERDURE_TOKEN', 'PERDURE_TOKEN_ENDPOINT', 'PERDURE_CLIENT_ID', 'PERDURE_CLIENT_SECRET'];

/** How long the host of a development profile may take to respond. */
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * @throws WrongUse when no credentials are configured
 * @throws Error when the host of the development profile has stopped
 */
export async function findHost(selection: Selection, signal: AbortSignal): Promise<Host> {
  const { environment, folder } = selection;
  const isConfigured = selection.api !== undefined || ['PERDURE_API', ...credentials].some((name) => environment[name]);
  const profile = isConfigured ? undefined : findDevelopmentProfile(folder);
  if (profile === undefined) return configuredHost(selection);
  await expectResponse(profile, signal);
  const projectID = selection.project ?? (environment['PERDURE_PROJECT'] || profile.projectID);
  return { client: createClient({ api: profile.api, accessToken: accessTokens(profile) }), projectID };
}

function configuredHost({ environment, api, project }: Selection): Host {
  const projectID = project ?? (environment['PERDURE_PROJECT'] || 'demo');
  const url = api ?? (environment['PERDURE_API'] || 'http://127.0.0.1:8080');
  if (!URL.canParse(url))
    throw new WrongUse(`The host must be a URL such as https://perdure.example.com, but is ${JSON.stringify(url)}`);
  return { client: createClient({ api: url.replace(/\/+$/, ''), accessToken: tokensOf(environment) }), projectID };
}

/** A host that was killed leaves its profile behind, and a call would be repeated for half a minute. */
async function expectResponse({ api, file }: DevelopmentProfile, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
  const response = await fetch(`${api}/health`, { signal: limit }).catch(() => undefined);
  if (response?.ok) return;
  throw new Error(
    `${api} does not respond, although ${file} names it. Run npm start again, or set PERDURE_API to another host.`,
  );
}

function tokensOf({
  PERDURE_TOKEN,
  PERDURE_TOKEN_ENDPOINT,
  PERDURE_CLIENT_ID,
  PERDURE_CLIENT_SECRET,
}: Environment): () => Promise<string> {
  if (PERDURE_TOKEN) return async () => PERDURE_TOKEN;
  if (PERDURE_TOKEN_ENDPOINT && PERDURE_CLIENT_ID && PERDURE_CLIENT_SECRET)
    return accessTokens({
      tokenEndpoint: PERDURE_TOKEN_ENDPOINT,
      clientID: PERDURE_CLIENT_ID,
      clientSecret: PERDURE_CLIENT_SECRET,
    });
  throw new WrongUse(
    'No credentials. Set PERDURE_TOKEN to an access token, or PERDURE_TOKEN_ENDPOINT, PERDURE_CLIENT_ID, and PERDURE_CLIENT_SECRET to those of a service account. In a checkout, run npm start: commands then use its host, unless PERDURE_API or --api names another one.',
  );
}

/** The form of a definitionID. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The definition with this id, or of this process and version (default: the newest).
 * @throws ApiError when it does not exist
 */
export async function definitionOf({ client, projectID }: Host, named: string, version?: number): Promise<string> {
  if (UUID.test(named)) return named;
  for (let page = 1; ; page += 1) {
    const params = {
      path: { projectID, processID: named },
      query: { page, pageSize: version === undefined ? 1 : 100 },
    };
    const { data, pagination } = await unwrap<Schemas['BpmnProcessVersionPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', { params }),
    );
    const found = version === undefined ? data[0] : data.find((one) => one.version === version);
    if (found) return found.id;
    if (page >= pagination.totalPages)
      throw new ApiError(404, {
        detail: `project ${projectID} has no process ${named}${version === undefined ? '' : ` in version ${version}`}`,
      });
  }
}
