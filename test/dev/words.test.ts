/** The word list of the style guide: what it finds, what it lets pass, and that the finished documents keep to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { isFinished, wordRules, wordsIn } from '../../tools/lint/word-list.mjs';
import { complaintsAbout, complaintsIn } from '../../tools/lint/words-in-documents.mjs';

const idsIn = (text: string) => wordsIn(text).map(({ id }) => id);

/** One text for each rule that it finds, and one that is right and resembles it. */
const examples: readonly [id: string, wrong: string, right: string][] = [
  ['stands', 'the reason stands above', 'CAN stands for continue-as-new'],
  ['in-the-way', 'everything that stands in the way', 'all issues'],
  ['told', 'the host was told to stop', 'a person told us'],
  ['tells', 'the log tells why', 'the log has the reason'],
  ['cannot-tell', 'the two cannot be told apart', 'the two are indistinguishable'],
  ['whoever', 'whoever reads it', 'any reader'],
  ['who-clause', 'The host decides. Who calls it sees the result', 'Who calls it?'],
  ['for-ever', 'kept for ever', 'kept forever'],
  ['be-had', 'no key can be had', 'no key is available'],
  ['in-place-of', 'a claim in place of the value', 'changed in place'],
  ['of-its-own', 'a pool of its own', 'its own pool'],
  ['beside', 'the name beside the key', 'besides the key'],
  ['go-on', 'the instance goes on', 'the instance goes on record'],
  ['let-go-on', 'it lets the instance go on', 'it lets the instance resume'],
  ['looked-at', 'the flow is not looked at', 'the name is looked up'],
  ['anew', 'set anew', 'set again'],
  ['any-more', 'it does not wait any more', 'there are no more retries than any more retries'],
  ['unless-said', '20 unless said', '20 by default'],
  ['so-many', 'at most so many', 'at most 20'],
  ['ours', 'a defect of ours', 'our defect'],
  ['is-to-be', 'the item that is to be removed', 'the item to remove'],
  ['is-no', 'this is no list', 'there is no list'],
  ['none-there', 'undefined when there is none', 'or undefined'],
  ['behind', 'the pages behind it', 'a host behind a proxy'],
  ['by-itself', 'it ended by itself', 'it ended unexpectedly'],
  ['to-an-end', 'the run comes to an end', 'the run ends'],
  ['becomes-of', 'what became of it', 'the outcome'],
  ['answered-404', 'the call is answered 404', 'the call returns 404'],
  ['hand-out', 'jobs are handed out', 'jobs are leased'],
  ['away', 'while Temporal is away', 'two steps away from it'],
  ['gone', 'It is gone.', 'The version is deleted'],
  ['nobody', 'nobody is waiting', 'no client is waiting'],
  ['what-clause', 'What has come to an instance', 'What if it fails'],
  ['pronoun-first', 'It is set.', 'Variables set'],
  ['meanwhile', 'what comes, meanwhile', 'Meanwhile, it waits'],
  ['least-role', 'the least role', 'the minimum role'],
  ['archaic', 'amid the run', 'during the run'],
  ['uk', 'the behaviour of a cancelled run', 'the order-fulfilment process is canceled'],
  ['banned-terms', 'the keeper restarts', 'see worker/background-loop.ts'],
];

describe('the word list', () => {
  it.each(examples)('%s finds "%s" and not "%s"', (id, wrong, right) => {
    expect(idsIn(wrong)).toContain(id);
    expect(idsIn(right)).not.toContain(id);
  });

  it('has an example for each of its rules', () => {
    expect(examples.map(([id]) => id)).toEqual(wordRules.map(({ id }) => id));
  });

  it('finds words across the lines of a text', () => {
    expect(idsIn('the instance goes\n on')).toEqual(['go-on']);
  });

  it('allows a word by its own rule only', () => {
    const allowed = (id: string) => wordsIn('kept for ever', `kept for ever <!-- prose-ok: ${id} -->`);
    expect(allowed('for-ever')).toEqual([]);
    expect(allowed('anew')).toHaveLength(1);
  });

  it('holds for finished folders, and not for folders that merely begin alike or for generated files', () => {
    expect(
      [
        'api/app.ts',
        'api',
        'apis/app.ts',
        'packages/client/schema.ts',
        'packages/client/work.ts',
        'docs/chaos.md',
      ].filter(isFinished),
    ).toEqual(['api/app.ts', 'api', 'packages/client/work.ts', 'docs/chaos.md']);
  });
});

describe('of documents, the word list', () => {
  const linesIn = (path: string, content: string) =>
    complaintsAbout(path, content).map((complaint) => Number(complaint.split(':')[1]));

  it('reads paragraphs, list items, and cells, and names the line', () => {
    expect(linesIn('a.md', 'A run goes\non.\n\n- kept for ever\n\n| name | kept for ever |\n')).toEqual([1, 4, 6]);
  });

  it('leaves out code, and still counts its lines', () => {
    expect(linesIn('a.md', '```sh\necho for ever\n```\n\nThe flag `for ever` is kept for ever.\n')).toEqual([5]);
  });

  it('leaves out the targets of links, and reads their texts', () => {
    expect(linesIn('a.md', '[Colors](how-to/behaviour.md)\n\n[behaviour](colors.md)\n')).toEqual([3]);
  });

  it('allows a word where its line says so', () => {
    expect(linesIn('a.md', 'kept for ever <!-- prose-ok: for-ever -->\n')).toEqual([]);
  });

  it('reads the comments of YAML, and no values', () => {
    expect(linesIn('a.yaml', 'title: for ever\n# kept for\n# ever\n')).toEqual([2]);
  });

  it('finds nothing in the finished folders', () => {
    expect(complaintsIn(repositoryRoot)).toEqual([]);
  });
});

it('npm run lint checks documents too', () => {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['lint']).toContain('node tools/lint/words-in-documents.mjs');
});
