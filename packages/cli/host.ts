/** The host that the environment names, and helpers of the commands that call it. */
import { accessTokens, unwrap, createClient, ApiError, type PerdureClient, type Schemas } from '../client/index.js';
import { WrongUse } from './command.js';

export interface Host {
  client: PerdureClient;
  projectID: string;
}

export type Environment = { readonly [name: string]: string | undefined };

/** @throws WrongUse when there are no credentials */
export function hostOf(
  environment: Environment,
  { api, project }: { api?: string | undefined; project?: string | undefined },
): Host {
  const projectID = project ?? (environment['PERDURE_PROJECT'] || 'demo');
  const url = api ?? (environment['PERDURE_API'] || 'http://127.0.0.1:8080');
  if (!URL.canParse(url))
    throw new WrongUse(`The host must be a URL such as https://perdure.example.com, but is ${JSON.stringify(url)}`);
  return { client: createClient({ api: url.replace(/\/+$/, ''), accessToken: tokensOf(environment) }), projectID };
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
    'No credentials. Set PERDURE_TOKEN to an access token, or PERDURE_TOKEN_ENDPOINT, PERDURE_CLIENT_ID, and PERDURE_CLIENT_SECRET to those of a service account.',
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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
