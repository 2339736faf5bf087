/** The message that the expressions of a hook make of a delivery. */
import { describe, expect, it } from 'vitest';
import { compileExpressions, type ExpressionTexts } from '../../../api/hooks/expressions.js';
import { evaluateMessage } from '../../../api/hooks/message.js';

const INPUT = {
  body: { id: 7, action: 'opened', items: [{ sku: 'a' }], note: 'secret note' },
  headers: { 'x-github-event': 'issues' },
  query: { shop: 'one' },
};

function evaluate(texts: ExpressionTexts) {
  const compiled = compileExpressions(texts);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return evaluateMessage(compiled.expressions, INPUT, 0);
}

function problemsOf(texts: ExpressionTexts) {
  const compiled = compileExpressions(texts);
  return compiled.ok ? [] : compiled.problems;
}

describe('a message', () => {
  it('has what the expressions read from body, headers, and query', () => {
    const message = evaluate({
      messageName: '"GitHub " + headers.`x-github-event`',
      correlationKeys: '{ order: body.id }',
      variables: '{ shop: query.shop, skus: body.items.sku }',
      idempotencyKey: 'body.id',
    });
    expect(message).toEqual({
      kind: 'message',
      name: 'GitHub issues',
      correlation: { order: 7 },
      variables: { shop: 'one', skus: ['a'] },
      idempotencyKey: '7',
    });
  });

  it('needs only a name', () => {
    expect(evaluate({ messageName: '"m"' })).toEqual({
      kind: 'message',
      name: 'm',
      correlation: undefined,
      variables: {},
      idempotencyKey: undefined,
    });
  });

  it('is ignored if its name is null, whatever the other expressions do', () => {
    const texts = { messageName: 'if body.action = "closed" then "m" else null', variables: 'body.id + "x"' };
    expect(evaluate(texts)).toEqual({ kind: 'ignored' });
  });

  it.each([
    ['a name that is not text', { messageName: '1' }, 'messageName must result in a text'],
    ['an empty name', { messageName: '""' }, 'messageName must result in a text'],
    ['a name of 256 characters', { messageName: 'string join(for i in 1..256 return "x")' }, 'messageName must'],
    [
      'an addition of a text and a number',
      { messageName: '"m"', variables: '{ a: body.note + 1 }' },
      'variables failed',
    ],
    [
      'variables that are not a context',
      { messageName: '"m"', variables: '[1]' },
      'variables must result in a context',
    ],
    ['a list as correlation', { messageName: '"m"', correlationKeys: '[1]' }, 'correlationKeys must result in'],
    ['a context as key', { messageName: '"m"', idempotencyKey: 'body' }, 'idempotencyKey must result in'],
    [
      'more work than permitted',
      { messageName: '"m"', variables: '{ a: count(for i in 1..1000, j in 1..1000 return i) }' },
      'variables failed',
    ],
    [
      'a value nested thousands of levels deep',
      { messageName: '"m"', variables: '{ a: (for i in 1..5000 return if i = 1 then 1 else [partial[-1]])[-1] }' },
      'nested',
    ],
  ])('fails on %s without telling a value', (_, texts, problem) => {
    const evaluated = evaluate(texts);
    expect(evaluated.kind).toBe('failed');
    const told = evaluated.kind === 'failed' ? evaluated.problem : '';
    expect(told).toContain(problem);
    expect(told).not.toContain('secret note');
  });
});

describe('an expression with a mistake', () => {
  it('is reported with its line and column', () => {
    expect(problemsOf({ messageName: '"m"', variables: '{\n  a: body.\n}' })).toEqual([
      { member: 'variables', line: 3, column: 1, message: expect.any(String) },
    ]);
  });

  it('cannot call a function that does not exist', () => {
    expect(problemsOf({ messageName: 'upper(body.action)' })).toEqual([
      { member: 'messageName', line: 1, column: 1, message: 'There is no function upper' },
    ]);
  });

  it('cannot read other variables than body, headers, and query', () => {
    expect(problemsOf({ messageName: 'order.name' })).toEqual([
      {
        member: 'messageName',
        line: 1,
        column: 1,
        message: 'There is no variable order. Use body, headers, or query.',
      },
    ]);
  });

  it('does not hide the mistakes of others', () => {
    expect(problemsOf({ messageName: '(', correlationKeys: ')', variables: '"' }).map(({ member }) => member)).toEqual(
      expect.arrayContaining(['messageName', 'correlationKeys', 'variables']),
    );
  });
});
