/** Responses to compare byte for byte: they differ by the id of their request only. */

export function withoutRequestID(text: string, headers: Headers): string {
  return text.replaceAll(headers.get('x-request-id')!, 'ID');
}

export function headersWithoutRequestID(headers: Headers): [string, string][] {
  return [...headers].map(([name, value]) => [name, withoutRequestID(value, headers)]);
}
