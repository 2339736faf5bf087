/** Hides secrets in what a receiver answers, in the forms in which a receiver repeats what it was sent. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const MASK = '***';

export type Mask = (text: string) => string;

/** @param sent values that were sent, and whole headers made of them */
export function maskOf(sent: readonly string[]): Mask {
  const forms = sent
    .flatMap((value) => [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      encodeURI(value),
      new URLSearchParams({ v: value }).toString().slice(2),
      ...inBase64(value),
    ])
    .flatMap((form) => [form, form.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())])
    .filter((form) => form !== '')
    // The longer ones first: a part of one would otherwise leave the rest.
    .sort((a, b) => b.length - a.length);
  const distinct = [...new Set(forms)];
  return (text) => distinct.reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

export function maskJson(json: Json, mask: Mask): Json {
  if (typeof json === 'string') return mask(json);
  if (typeof json === 'number') return mask(String(json)) === String(json) ? json : MASK;
  if (Array.isArray(json)) return json.map((item) => maskJson(item, mask));
  if (json === null || typeof json !== 'object') return json;
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [mask(key), maskJson(item, mask)]));
}

/** The characters that stay the same wherever the value stands in text that is encoded: three alignments, two alphabets. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const stable = encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
