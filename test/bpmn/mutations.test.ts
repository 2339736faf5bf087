import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../bpmn/compile.js';

const MODEL = readFileSync(new URL('../../examples/order-fulfilment/order-fulfilment.bpmn', import.meta.url), 'utf8');
const TAGS = [...MODEL.matchAll(/<[^>]*>/g)].map(([tag]) => tag);

const tag = fc.constantFrom(...TAGS);
const attributeName = fc.constantFrom('id', 'name', 'default', 'sourceRef', 'attachedToRef', 'flowElements', 'eventDefinitions', 'laneSets', 'rootElements', 'body', 'get', 'zeebe:x');
const attributeValue = fc.constantFrom('', '__proto__', 'constructor', '=', '=1', 'x y', '&lt;', 'ReserveStock', 'zeebe:x');

/** One change to the text of a model, such as a hand or a broken tool makes. */
const mutation = fc.oneof(
  tag.map((from) => (xml: string) => xml.replace(from, '')),
  fc.tuple(tag, tag).map(([after, added]) => (xml: string) => xml.replace(after, after + added)),
  tag.map((closed) => (xml: string) => xml.replace(closed, closed.replace(/\/?>$/, '/>'))),
  fc.tuple(tag, attributeName, attributeValue).map(([from, name, value]) => (xml: string) => xml.replace(from, from.replace(/ [\w:]+="[^"]*"/, ` ${name}="${value}"`))),
  fc.tuple(tag, tag).map(([from, other]) => (xml: string) => xml.replace(from, from.replace(/[\w:]+/, /[\w:]+/.exec(other)![0]))),
  fc.tuple(tag, fc.string({ maxLength: 5 })).map(([after, text]) => (xml: string) => xml.replace(after, after + text)),
);

test('whatever is changed in a model, the compiler answers with graphs or with problems', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      const { processes, problems } = await compile(mutations.reduce((xml, mutate) => mutate(xml), MODEL));

      expect(processes.length > 0).toBe(problems.every(({ severity }) => severity === 'warning'));
    }),
    { numRuns: 300 },
  );
});
