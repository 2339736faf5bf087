import { FairTurns } from '@perdure/lib/fair-turns.js';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateBatch } from '../../../api/search/evaluation.js';
import { readPredicate } from '../../../api/search/predicate.js';
import { scan, type Scan } from '../../../api/search/scan.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';
import { searchSummaryOf } from '../../../store/sql/search-summary.js';
import { projectID, useStore } from '../../store/support/store.js';

const store = useStore();

const strings = [
  '',
  'open',
  'opens',
  'Open',
  'z',
  'ä',
  '\u{1F600}',
  '\uFFFD',
  '\uE000x',
  'a"b\\c\n',
  '\u0000',
  '\ud800',
  'x'.repeat(48),
  'x'.repeat(49),
  `${'x'.repeat(49)}\u{1F600}`,
  'x'.repeat(50),
  'x'.repeat(60),
  'y'.repeat(1001),
];
const numbers = [
  0, -0, 1, -1, 1.5, 1000, 999.9999999999999, 1000.0000000000001, 0.1, 0.30000000000000004, 1e21, 1e308, 5e-324, -1e-7,
  123456789012345680000, 9007199254740992,
];
const names = ['a', 'b', 'flag', 'due date', 'type', '"', 'ключ'];

const scalar = fc.oneof(
  fc.constantFrom<Json>(...numbers),
  fc.constantFrom<Json>(...strings),
  fc.constantFrom<Json>(true, false, null),
  fc.double({ noNaN: true, noDefaultInfinity: true }) as fc.Arbitrary<Json>,
  fc.string({ unit: 'binary', maxLength: 4 }) as fc.Arbitrary<Json>,
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: scalar, weight: 6 },
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names, 'x', 'y'), tie('value'), { maxKeys: 4 }),
  ),
}));
/** Mostly there and of the type that predicates ask for. */
const variables: fc.Arbitrary<Variables> = fc.record(
  {
    a: fc.oneof({ arbitrary: fc.constantFrom<Json>(...numbers), weight: 6 }, value),
    b: fc.oneof({ arbitrary: fc.constantFrom<Json>(...strings), weight: 6 }, value),
    flag: fc.oneof({ arbitrary: fc.boolean(), weight: 6 }, value),
    c: fc.oneof(
      {
        arbitrary: fc.record({ x: scalar, y: fc.oneof(scalar, fc.record({ x: scalar })) }, { requiredKeys: [] }),
        weight: 6,
      },
      value,
    ),
    'due date': value,
    type: value,
    '"': value,
    ключ: value,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Variables>;

const path = fc.constantFrom(
  'a',
  'a',
  'b',
  'b',
  'flag',
  'c.x',
  'c.y',
  'c.y.x',
  'c.x.y.x',
  '`due date`',
  'type',
  '`"`',
  'ключ',
  'a.x',
  'type.type',
);
const textLiteral = fc
  .constantFrom(...strings.filter((text) => !/[\0\ud800"\\\n]/u.test(text) || text === '\u{1F600}'))
  .map((text) => JSON.stringify(text));
const numberLiteral = fc.constantFrom(
  '0',
  '1',
  '-1',
  '1.5',
  '1000',
  '1000.0',
  '.1',
  '0.30000000000000004',
  '1e21',
  '12345678901234567890123',
  '999.9999999999999',
  '1000.0000000000000001',
);
const constant = fc.oneof(numberLiteral, textLiteral, fc.constantFrom('true', 'false', 'null'));
const operator = fc.constantFrom('=', '!=', '<', '<=', '>', '>=');
const unaryTest = fc.oneof(
  constant,
  fc
    .tuple(fc.constantFrom('<', '<=', '>', '>='), fc.oneof(numberLiteral, textLiteral))
    .map(([sign, end]) => `${sign} ${end}`),
  fc
    .tuple(fc.constantFrom('[', '('), numberLiteral, numberLiteral, fc.constantFrom(']', ')'), fc.nat(9))
    .map(([open, one, other, close, chance]) => {
      // Hardly anybody exchanges the bounds, which leaves everything to be evaluated.
      const isExchanged = chance === 0;
      const [low, high] = isExchanged === Number(one) <= Number(other) ? [other, one] : [one, other];
      return `${open}${low}..${high}${close}`;
    }),
);
const leaf = fc.oneof(
  { arbitrary: fc.tuple(path, operator, constant).map((parts) => parts.join(' ')), weight: 5 },
  fc.tuple(constant, operator, path).map((parts) => parts.join(' ')),
  fc.tuple(path, numberLiteral, numberLiteral).map(([of, low, high]) => `${of} between ${low} and ${high}`),
  fc
    .tuple(path, fc.array(unaryTest, { minLength: 1, maxLength: 3 }))
    .map(([of, tests]) => `${of} in (${tests.join(', ')})`),
  fc.tuple(path, unaryTest).map(([of, unary]) => `${of} in ${unary}`),
  path,
);
const { predicate } = fc.letrec<{ predicate: string }>((tie) => ({
  predicate: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: leaf, weight: 3 },
    fc
      .tuple(tie('predicate'), fc.constantFrom('and', 'or'), tie('predicate'))
      .map(([left, word, right]) => `(${left}) ${word} (${right})`),
    tie('predicate').map((operand) => `not(${operand})`),
    fc.tuple(leaf, leaf, leaf).map((leaves) => leaves.join(' and ')),
    fc
      .tuple(leaf, fc.constantFrom('and', 'or'), leaf, fc.constantFrom('and', 'or'), leaf)
      .map((parts) => parts.join(' ')),
  ),
}));

interface Seeded {
  definitionID: string;
  /** Gives the instances their search summaries, which they have not at first. */
  summarize(): Promise<unknown>;
}

async function seed(all: readonly Variables[]): Promise<Seeded> {
  const definitionID = randomUUID();
  const ids = all.map(() => randomUUID());
  await store.database.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, variables)
     SELECT id, id, $1, $2, variables FROM unnest($3::text[], $4::json[]) AS given(id, variables)`,
    [projectID, definitionID, ids, all.map((each) => JSON.stringify(each))],
  );
  return {
    definitionID,
    summarize: () =>
      store.database.query(
        'UPDATE instances i SET search_summary = given.summary FROM unnest($1::text[], $2::jsonb[]) AS given(id, summary) WHERE i.workflow_id = given.id',
        [ids, all.map(searchSummaryOf)],
      ),
  };
}

interface Compared {
  pages: Scan[];
  /** Instances that were evaluated one by one. */
  evaluated: number;
}

async function search(
  definitionID: string,
  text: string,
  { limit, isPrefiltered }: { limit: number; isPrefiltered: boolean },
): Promise<Compared> {
  const read = readPredicate(text);
  if (!read.ok) throw new Error(`${text} is not valid: ${JSON.stringify(read.problems)}`);
  const result: Compared = { pages: [], evaluated: 0 };
  let below = 1e15;
  while (result.pages.at(-1)?.exhausted !== true) {
    const page = await scan(
      store.database,
      async (work) => {
        result.evaluated += (JSON.parse(work.candidates) as unknown[]).length;
        return evaluateBatch(work);
      },
      {
        filter: { projectID, definitionID },
        predicate: text,
        names: read.names,
        prefilter: isPrefiltered ? read.prefilter : undefined,
        now: 0,
        below,
        limit,
        deadlineMilliseconds: 60_000,
        turns: new FairTurns().of({ caller: 'c', project: undefined }),
        signal: new AbortController().signal,
      },
    );
    result.pages.push(page);
    below = page.below;
  }
  return result;
}

/** Searches with summaries and without them, and how many instances both have evaluated. */
const searchesWithAndWithout = (spared: { prefiltered: number; plain: number }) =>
  fc.asyncProperty(
    fc.array(variables, { minLength: 10, maxLength: 50 }),
    fc.array(fc.tuple(predicate, fc.constantFrom(1, 3, 200)), { minLength: 8, maxLength: 8 }),
    async (all, searches) => {
      const { definitionID, summarize } = await seed(all);
      const expected: Compared[] = [];
      for (const [text, limit] of searches)
        expected.push(await search(definitionID, text, { limit, isPrefiltered: false }));
      await summarize();
      for (const [index, [text, limit]] of searches.entries()) {
        const plain = expected[index]!;
        const read = await search(definitionID, text, { limit, isPrefiltered: false });
        const prefiltered = await search(definitionID, text, { limit, isPrefiltered: true });
        expect(read.pages, `read with summaries: ${text}`).toEqual(plain.pages);
        expect(prefiltered.pages, text).toEqual(plain.pages);
        spared.plain += plain.evaluated;
        spared.prefiltered += prefiltered.evaluated;
      }
    },
  );

test(
  'search summaries change nothing of a page: matches, tallies, the first error and where it ends are those of evaluating all',
  { timeout: 300_000 },
  async () => {
    await fc.assert(searchesWithAndWithout({ prefiltered: 0, plain: 0 }), { numRuns: 15, endOnFailure: true });
  },
);

test('search summaries spare a quarter of the evaluations of chosen searches', { timeout: 300_000 }, async () => {
  const spared = { prefiltered: 0, plain: 0 };
  // Always the same ones: of others, they may spare fewer.
  await fc.assert(searchesWithAndWithout(spared), { seed: 36, numRuns: 15, endOnFailure: true });
  expect(spared.prefiltered, 'prefilter must not leave nearly everything').toBeLessThan(spared.plain * 0.75);
});

test('a range with its bounds exchanged fails for every value, with search summaries as well', async () => {
  const { definitionID, summarize } = await seed([{ a: true }, { a: 1 }, { a: 'x' }]);
  await summarize();
  for (const predicate of ['a in [1.5..1]', 'a in (.1, [1.5..1])', 'not(a in (2..1))', 'a in ["b".."a"]']) {
    const plain = await search(definitionID, predicate, { limit: 10, isPrefiltered: false });
    const prefiltered = await search(definitionID, predicate, { limit: 10, isPrefiltered: true });
    expect(prefiltered.pages, predicate).toEqual(plain.pages);
    expect(plain.pages[0]?.predicateErrors, predicate).toBe(3);
  }
});

test('every search summary is one that Postgres takes, and no longer than an instance has room for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...names)), value, { maxKeys: 60 }),
        { maxLength: 20 },
      ),
      async (all) => {
        const summaries = all.map((each) => searchSummaryOf(each));
        await store.database.query('SELECT unnest($1::jsonb[])', [summaries]);
        for (const summary of summaries) expect(summary?.length ?? 0).toBeLessThanOrEqual(1000);
      },
    ),
    { numRuns: 60, endOnFailure: true },
  );
});
