import { contentKind } from '@perdure/lib/model-files/content-kind.js';
import { expect, it } from 'vitest';

const bpmn = 'http://www.omg.org/spec/BPMN/20100524/MODEL';
const dmn = 'https://www.omg.org/spec/DMN/20191111/MODEL/';

it.each([
  ['BPMN', `<definitions xmlns="${bpmn}"/>`],
  ['BPMN', `<b:definitions xmlns:b="${bpmn}" xmlns:d="${dmn}"/>`],
  ['BPMN', `<a b="xmlns='${dmn}'"/>`],
  ['DMN', `\uFEFF<?xml version="1.0"?>\n<!-- <a> --><!-- b --> <definitions id="a > b" xmlns="${dmn}">`],
  ['DMN', `<d:definitions xmlns="${bpmn}" xmlns:d='${dmn}'/>`],
  ['FORM', ' \n{"components": []}'],
  ['FORM', '{ not yet JSON'],
  [undefined, 'words'],
  [undefined, ''],
  [undefined, '<!-- never closed'],
])('the content of a file says its kind: %s', (kind, text) => {
  expect(contentKind(text)).toBe(kind);
});

it('the kind of a long text is found without reading it more than once', () => {
  const started = performance.now();
  for (const text of [
    '<!--'.repeat(500_000),
    '<a '.repeat(500_000),
    `<a ${'b="c" '.repeat(300_000)}`,
    ' '.repeat(2_000_000),
  ])
    expect(contentKind(text)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(2_000);
});
