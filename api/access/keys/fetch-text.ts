export interface FetchLimits {
  readonly timeoutMilliseconds: number;
  readonly maximumBytes: number;
}

/**
 * Fetches a small document of an issuer. Follows no redirects (they could lead anywhere) and enforces limits on size
 * and time. Throws an error whose message is safe to log.
 */
export async function fetchText(url: string, { timeoutMilliseconds, maximumBytes }: FetchLimits): Promise<string> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`expected status 200, but got ${response.status}`);
  }
  return readBounded(response, maximumBytes);
}

/** The body of a response as text. Throws as soon as the body exceeds the limit. */
export async function readBounded(response: Response, maximumBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maximumBytes) throw new Error(`the body exceeds ${maximumBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
