/**
 * Must be imported before the OIDC library, which warns on Node 20 that it supports only later versions. The features
 * used by this issuer are tested on Node 20, so the warning requires no action.
 */
const { warn } = console;
console.warn = (...words: unknown[]) => {
  if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
};
