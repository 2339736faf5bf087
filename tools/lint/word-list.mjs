/**
 * The words that the style guide (`docs/contributing/style.md`) replaces: idioms of another language, home-made terms,
 * and British spelling. The lint rule `perdure/words` reads TypeScript with this list, `words.mjs` reads documents.
 */

/** Folders and files whose texts follow the style guide. */
export const finished = [
  'activities',
  'api',
  'backtests',
  'bench',
  'connectors',
  'console',
  'deploy',
  'dev',
  'docs',
  'examples',
  'host',
  'hot-instances',
  'outbound',
  'packages',
  'store',
  'telemetry',
  'temporal',
  'test',
  'tools',
  'worker',
  'workflows',
  '.github',
  '.oxlintrc.json',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'docker-compose.yml',
];

/**
 * Paths, or their beginnings, that are not checked: generated files, the list of ADRs, which repeats
 * their file names, the word list itself, and the tests of both lints, which quote its words.
 */
const excluded = [
  'packages/client/lists.ts',
  'packages/client/schema.ts',
  'docs/adr/README.md',
  'test/dev/lint.test.ts',
  'test/dev/words.test.ts',
  'tools/lint/word-list.mjs',
];

/**
 * @typedef {{ id: string, pattern: RegExp, instead: string }} WordRule
 * @typedef {{ id: string, found: string, instead: string }} Finding
 */

/** @type {readonly WordRule[]} */
export const wordRules = [
  rule(
    'stands',
    String.raw`\b(stands|stood)\b(?! (for|out|up)\b)|\bstand (in|at|on|below|still|as|here|there)\b`,
    'is, is listed, appears',
  ),
  rule('in-the-way', String.raw`\bstands? in (the|its|their) way\b|\bin the way of\b`, 'prevents, blocks; an issue'),
  rule(
    'told',
    String.raw`\b(is|are|was|were|be|been|being) (never |not )?told\b|\btold (of|by|about|anew)\b`,
    'is notified, receives, is configured',
  ),
  rule('tells', String.raw`\btells? (of|what|which|whether|how|when|why|where|it)\b`, 'shows, reports, returns, lists'),
  rule('cannot-tell', String.raw`\b(can|cannot|could) be told\b`, 'can be determined, is unknown'),
  rule('whoever', String.raw`\bwho(so)?ever\b`, 'the caller, the client that, anyone with the role'),
  rule('who-clause', String.raw`(^|[.:;] )(Those who|He who|Who) [a-z]+ [^?]*$`, 'callers that, operators who'),
  rule('for-ever', String.raw`\bfor ever\b`, 'indefinitely, forever, without limit'),
  rule(
    'be-had',
    String.raw`\b(to|can|cannot|could|may)( not)? be had\b`,
    'is available, is unavailable, cannot be fetched',
  ),
  rule('in-place-of', String.raw`\bin (the )?place of\b`, 'instead of, replaces'),
  rule(
    'of-its-own',
    String.raw`\bof (its|their|our|your|his|her) own\b(?! (accord|motion))`,
    'its own X, a separate X, a dedicated X',
  ),
  rule('beside', String.raw`\bbeside\b`, 'next to, in addition to, with'),
  rule(
    'go-on',
    String.raw`\b(go|goes|went|going|gone) on\b(?! (to|record|strike)\b)`,
    'continues, resumes, proceeds, keeps',
  ),
  rule('let-go-on', String.raw`\blets? [a-z ]{1,40}\b(go on|last)\b`, 'resumes, extends, continues'),
  rule(
    'looked-at',
    String.raw`\b(is|are|was|were|be|been) (never |not )?looked (at|for)\b|\blooks? (at nothing|again|anew|twice)\b`,
    'checked, read, evaluated, inspected',
  ),
  rule('anew', String.raw`\banew\b`, 'again, from scratch'),
  rule('any-more', String.raw`\bany more\b(?! than\b)(?! [a-z]+s\b)`, 'no longer'),
  rule('unless-said', String.raw`\bunless (said|asked)\b`, '(default N), by default'),
  rule(
    'so-many',
    String.raw`\b(at most|about|after|only) so (many|long|much|often)\b|^So (many|long|much)\b`,
    'the parameter or the constant',
  ),
  rule(
    'ours',
    String.raw`\bof ours\b|\b(is|are|not|than|those) ours\b`,
    "our, Perdure's; a defect of ours is a bug in Perdure",
  ),
  rule(
    'is-to-be',
    String.raw`\b(is|are|was|were) to be (?!found\b)[a-z]+(ed|en|one|old|ade|ent|ut|un)\b`,
    'must be, will be',
  ),
  rule(
    'is-no',
    String.raw`(?<!there )\b(is|are) no (?!longer|more|less|other|such|need|limit|way|reason|one)\w+`,
    'is not a, is not an',
  ),
  rule('none-there', String.raw`\b(when|where|if) there (is|are) none\b`, 'or undefined, if none exists'),
  rule(
    'behind',
    String.raw`\bbehind (it|them|its|one|which|the (end|last|first|others?|key|number|name|event|gateway))\b`,
    'after, following',
  ),
  rule(
    'by-itself',
    String.raw`\b(suspended|paused|ended?|ends|stops?|starts?|started|begins?|goes) by (itself|themselves)\b`,
    'directly, automatically, unexpectedly',
  ),
  rule('to-an-end', String.raw`\b(comes?|came|coming) to (its|their|an) (own )?end\b`, 'ends, completes'),
  rule(
    'becomes-of',
    String.raw`\b(becomes?|became|become|came) of (it|them|that|each|this|a|the)\b`,
    'outcome, result',
  ),
  rule('answered-404', String.raw`\banswer(s|ed)? [1-5]\d\d\b`, 'returns 404, gets 404'),
  rule('hand-out', String.raw`\b(hand(s|ed|ing)?|giv(e|es|en|ing)) out\b`, 'lease, issue, assign'),
  rule('away', String.raw`\b(is|are|was|were|been) away\b(?! from)`, 'is unavailable, is down'),
  rule('gone', String.raw`^It is gone\b|\b(it|they|which) (is|are) gone\b`, 'deleted, no longer exists'),
  rule('nobody', String.raw`\b(nobody|somebody|everybody)\b`, 'no caller, another client, every subscriber'),
  rule('what-clause', String.raw`^(What|Who) (?!if\b)[a-z]+ [^?]*$`, 'a noun or a verb first'),
  rule('pronoun-first', String.raw`^(It|They) (is|are|has|have|was|were|goes|comes)\b`, 'the subject by its name'),
  rule('meanwhile', String.raw`(?<=[a-z,] )meanwhile\b`, 'in the meantime, while paused'),
  rule('least-role', String.raw`\bleast (role|right)\b`, 'minimum role'),
  rule(
    'archaic',
    String.raw`\b(amid|upon|thereof|whilst|amongst|towards|seldom|rudely)\b`,
    'during, on, of it, while, among, toward, rarely',
  ),
  rule(
    'uk',
    [
      String.raw`\b(behaviou|colou|honou|favou|neighbou)r|\blicence|\bmodell(er|ing|ed)|\b(cancell|signall|travell|labell)(ed|ing)\b`,
      String.raw`(?<!order-)\bfulfil(s|ment)?\b`,
      String.raw`\b(organ|recogn|normal|serial|initial|summar|author|synchron)is(e|ed|es|ing|ation)\b`,
    ].join('|'),
    'US spelling',
  ),
  rule(
    'banned-terms',
    String.raw`(?<![-\w./])(keepers?|housekeepers?|adrift|stretch(es)?|screening|steering|answerers?)(?![-\w./]*[\w/])`,
    'the term of the glossary: background loop, cleanup, diverged, batch, prefilter, operator command',
  ),
];

/** @returns {WordRule} */
function rule(/** @type {string} */ id, /** @type {string} */ pattern, /** @type {string} */ instead) {
  return { id, pattern: new RegExp(pattern, 'iu'), instead };
}

/**
 * Whether the texts of a file follow the style guide.
 *
 * @param {string} path relative to the repository, with slashes
 */
export function isFinished(path) {
  return (
    !excluded.some((beginning) => path.startsWith(beginning)) &&
    finished.some((folder) => path === folder || path.startsWith(`${folder}/`))
  );
}

/**
 * The words to replace in one text.
 *
 * @param {string} text without the marks of its language
 * @param {string} source the lines in which it is written, where `prose-ok: <id>` allows a word
 * @returns {Finding[]}
 */
export function wordsIn(text, source = text) {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return wordRules.flatMap(({ id, pattern, instead }) => {
    const match = pattern.exec(words);
    return match === null || source.includes(`prose-ok: ${id}`) ? [] : [{ id, found: match[0].trim(), instead }];
  });
}

/** @param {Finding} finding */
export function describeWord({ id, found, instead }) {
  const quoted = found.length > 60 ? `${found.slice(0, 60)}...` : found;
  return (
    `"${quoted}" (${id}): write ${instead}. ` +
    `See docs/contributing/style.md; "prose-ok: ${id}" on the line allows it.`
  );
}
