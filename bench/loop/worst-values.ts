/** JSON values that cost a reader most for their size, and those that are just allowed. */
import { storableLimits } from '@perdure/lib/storable-json.js';

export interface WorstValue {
  readonly kind: string;
  /** JSON of about `bytes` bytes. */
  readonly text: string;
  /** Whether it is within every limit of storable JSON. */
  readonly isStorable: boolean;
}

const { values, members, membersOfObject, depth } = storableLimits;

/** @param bytes the size of those that grow; the others are as large as they may be, at most that size */
export function worstValues(bytes: number): WorstValue[] {
  const list = (item: string, count = Math.floor(bytes / (item.length + 1))) =>
    `[${Array(count).fill(item).join(',')}]`;
  const string = (piece: string) => `"${piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))}"`;
  const object = (count: number, key: (index: number) => string) =>
    `{${Array.from({ length: count }, (_, index) => `${JSON.stringify(key(index))}:1`).join(',')}}`;
  const maxMembersOf = (name: string) =>
    object(Math.min(membersOfObject, Math.floor(bytes / 60)), (index) => `${name}${index}`);
  const maxItems = values - 100;
  const maxMembers = members - 100;
  const refused = (kind: string, text: string) => ({ kind, text, isStorable: false });
  const allowed = (kind: string, text: string) => ({ kind, text, isStorable: true });
  return [
    refused('numbers in another spelling', list('1e1')),
    refused('array items', list('1')),
    refused('empty objects', list('{}')),
    refused('decimal numbers with many digits', list(`0.${'1'.repeat(300)}`)),
    refused('deep nesting', `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`),
    refused('deep nesting, many times', list(`${'['.repeat(depth - 4)}${']'.repeat(depth - 4)}`)),
    refused(
      'members of one object',
      object(Math.floor(bytes / 12), (index) => `k${index}`),
    ),
    refused(
      'objects of one member',
      `[${Array.from({ length: Math.floor(bytes / 14) }, (_, index) => `{"k${index}":1}`).join(',')}]`,
    ),
    allowed('a text with escapes', string('\\n')),
    allowed('a text with Unicode escapes', string('\\u4e00')),
    allowed('a text beyond ASCII', string('一')),
    allowed('a plain text', string('a')),
    allowed('the most array items', list('1e1', Math.min(maxItems, Math.floor(bytes / 4)))),
    allowed(
      'the most numbers with many digits',
      list('1.7976931348623157E308', Math.min(maxItems, Math.floor(bytes / 23))),
    ),
    allowed('the most members', `{${['a', 'b', 'c', 'd'].map((name) => `"${name}":${maxMembersOf(name)}`).join(',')}}`),
    allowed('the most members of one object', maxMembersOf('k')),
    allowed(
      'the most objects of one member',
      `[${Array.from({ length: Math.min(Math.floor(maxMembers), Math.floor(bytes / 14)) }, (_, index) => `{"k${index}":1}`).join(',')}]`,
    ),
  ];
}
