/** One request to the admin API of an identity provider: bounded in time and size, never redirected. */
import { readBounded } from '../access/keys/fetch-text.js';

/** The provider is unavailable or returned an unusable response. The message is for the log. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
}

export interface ProviderRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Statuses that the caller handles, in addition to 200 to 204. */
  readonly understood?: readonly number[];
}

export interface ProviderAnswer {
  readonly status: number;
  /** Undefined if there is no JSON body. */
  readonly body: unknown;
}

const timeoutMilliseconds = 5_000;
const maximumBytes = 4 * 1024 * 1024;
const successes = [200, 201, 204];

/** @throws ProviderFailure */
export async function callProvider(
  url: string,
  { method = 'GET', token, json, form, understood = [] }: ProviderRequest,
): Promise<ProviderAnswer> {
  const where = `${method} ${new URL(url).pathname}`;
  try {
    const response = await fetch(url, {
      method,
      // A redirect could send the secret anywhere.
      redirect: 'manual',
      headers: {
        Accept: 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
      },
      signal: AbortSignal.timeout(timeoutMilliseconds),
      ...(form !== undefined
        ? { body: new URLSearchParams(form) }
        : json !== undefined
          ? { body: JSON.stringify(json) }
          : {}),
    });
    const text = await readBounded(response, maximumBytes);
    if (![...successes, ...understood].includes(response.status))
      throw new ProviderFailure(`${where}: the provider returned ${response.status}`);
    return { status: response.status, body: parseJson(text) };
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    throw new ProviderFailure(`${where}: ${(error as Error).message}`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
