/**
 * Imported before the OIDC library, which greets Node 20 with a warning that it means to support later versions only.
 * What this issuer uses of it is tested on Node 20, so the warning would tell people nothing they can act on.
 */
const { warn } = console;
console.warn = (...words: unknown[]) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
