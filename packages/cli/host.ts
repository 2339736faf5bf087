/** The host that a command calls: the configured one, or the one that `npm start` runs in this checkout. */
import { accessTokens, unwrap, createClient, ApiError, type PerdureClient, type Schemas } from '@perdure/client';
import { WrongUse } from './wrong-use.js';
import { credentialNames, credentialsOf, protectedURL, urlOfHost, type Environment } from './access/credentials.js';
import { findDevelopmentProfile, type DevelopmentProfile } from './access/development-profile.js';
import { withTimeLimit } from '@perdure/lib/network/time-limit.js';
import { profileInUse, readProfile, type Profile } from './access/profiles.js';

export interface Host {
  client: PerdureClient;
  projectID: string;
}

interface Selection {
  environment: Environment;
  /** The current folder. */
  folder: string;
  /** The values of the options. */
  profile: string | undefined;
  api: string | undefined;
  project: string | undefined;
}

/** How long the host of a development profile may take to respond. */
const RESPONSE_TIMEOUT_MS = 5_000;

/**
 * @param signal ends waits and reads
 * @throws WrongUse when no credentials are configured
 * @throws Error when the host of the development profile has stopped
 */
export async function findHost(selection: Selection, signal: AbortSignal): Promise<Host> {
  const { environment, folder } = selection;
  const saved = savedProfile(selection);
  if (saved !== undefined) return hostOf(saved, selection.project ?? saved.projectID, signal);
  const development = isConfigured(selection) ? undefined : findDevelopmentProfile(folder);
  if (development === undefined) return configuredHost(selection, signal);
  await expectResponse(development, signal);
  return hostOf(development, selection.project ?? (environment['PERDURE_PROJECT'] || development.projectID), signal);
}

/** A profile is used as a whole or not at all, so that its account is never sent to another host. */
function savedProfile(selection: Selection): Profile | undefined {
  const { environment, profile, api } = selection;
  if (profile !== undefined && api !== undefined)
    throw new WrongUse(`Set --profile or --api, not both: profile ${JSON.stringify(profile)} names its own host.`);
  if (profile !== undefined) return readProfile(environment, profile);
  const inUse = isConfigured(selection) ? undefined : profileInUse(environment);
  return inUse === undefined ? undefined : readProfile(environment, inUse);
}

function isConfigured({ environment, api }: Selection): boolean {
  return api !== undefined || ['PERDURE_API', ...credentialNames].some((name) => environment[name]);
}

function hostOf(profile: Profile | DevelopmentProfile, projectID: string, signal: AbortSignal): Host {
  const { api } = profile;
  // A profile may have been written by another version, or by hand.
  protectedURL('The host', api);
  if ('tokenEndpoint' in profile) protectedURL('The token endpoint', profile.tokenEndpoint);
  const accessToken = 'token' in profile ? async () => profile.token : accessTokens(profile);
  return { client: createClient({ api, accessToken, signal }), projectID };
}

function configuredHost({ environment, api, project }: Selection, signal: AbortSignal): Host {
  const projectID = project ?? (environment['PERDURE_PROJECT'] || 'demo');
  const url = api ?? (environment['PERDURE_API'] || 'http://127.0.0.1:8080');
  return hostOf({ api: urlOfHost(url), projectID, ...credentialsOf(environment) }, projectID, signal);
}

/** A host that was killed leaves its profile behind, and a call would be repeated for half a minute. */
async function expectResponse({ api, file }: DevelopmentProfile, signal: AbortSignal): Promise<void> {
  const limits = withTimeLimit(signal, RESPONSE_TIMEOUT_MS);
  const response = await fetch(`${api}/health`, { signal: limits }).catch(() => undefined);
  if (response?.ok) return;
  throw new Error(
    `${api} does not respond, although ${file} names it. Run npm start again, or set PERDURE_API to another host.`,
  );
}

/** The form of a definitionID. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The definition with this id, or of this process and version (default: the newest).
 * @throws ApiError when it does not exist
 */
export async function definitionOf(host: Host, named: string, version?: number): Promise<string> {
  if (UUID.test(named)) return named;
  for await (const found of versionsOf(host, named, version === undefined ? 1 : 100))
    if (version === undefined || found.version === version) return found.id;
  throw new ApiError(404, { detail: `project ${host.projectID} has no process ${named} in version ${version}` });
}

/**
 * All versions of a process, newest first.
 * @throws ApiError when it does not exist
 */
export async function* versionsOf(
  { client, projectID }: Host,
  processID: string,
  pageSize = 100,
): AsyncGenerator<Schemas['BpmnProcessVersion']> {
  for (let page = 1; ; page += 1) {
    const params = { path: { projectID, processID }, query: { page, pageSize } };
    const { data, pagination } = await unwrap<Schemas['BpmnProcessVersionPaginatedResponse']>(
      client.GET('/projects/{projectID}/bpmn/processes/{processID}/versions', { params }),
    );
    if (page === 1 && data.length === 0)
      throw new ApiError(404, { detail: `project ${projectID} has no process ${processID}` });
    yield* data;
    if (page >= pagination.totalPages) return;
  }
}
