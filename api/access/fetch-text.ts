export interface FetchLimits {
  readonly timeoutMilliseconds: number;
  readonly maximumBytes: number;
}

/**
 * Fetches a small document of an issuer. No redirects (they could lead anywhere), no more than the cap of bytes, no
 * longer than the time limit. Throws an error whose message is fit for the log.
 */
export async function fetchText(url: string, { timeoutMilliseconds, maximumBytes }: FetchLimits): Promise<string> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { Accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`expected status 200, found ${response.status}`);
  }
  return readBounded(response, maximumBytes);
}

/** The body of an answer as text. Throws when it is longer than the cap, having read no more than that. */
export async function readBounded(response: Response, maximumBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maximumBytes) throw new Error(`expected at most ${maximumBytes} bytes, found more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
