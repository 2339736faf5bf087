import { describe, expect, it } from 'vitest';
import { fragment, joined, Parameter, raw, rowsOf, sql, statementOf } from '../../store/sql/builder.js';

describe('a statement', () => {
  it('numbers its values in the order of their use', () => {
    expect(statementOf(sql`SELECT ${'a'}::text, ${2}::integer`, 'two')).toEqual({
      name: 'two',
      text: 'SELECT $1::text, $2::integer',
      values: ['a', 2],
    });
  });

  it('has one placeholder for a parameter that several fragments use', () => {
    const id = new Parameter('x');
    const condition = sql`id = ${id} AND kind = ${'k'}`;
    const { text, values } = statementOf(
      sql`WITH a AS (SELECT ${1} FROM t WHERE ${condition}) DELETE FROM u WHERE ${condition}`,
    );
    expect(text).toBe(
      'WITH a AS (SELECT $1 FROM t WHERE id = $2 AND kind = $3) DELETE FROM u WHERE id = $2 AND kind = $3',
    );
    expect(values).toEqual([1, 'x', 'k']);
  });

  it('numbers equal values separately, so that its text does not depend on them', () => {
    const textFor = (one: unknown, two: unknown) => statementOf(sql`SELECT ${one}, ${two}`).text;
    expect(textFor(1, 1)).toBe(textFor(1, null));
  });

  it('keeps a text that is a value out of its text', () => {
    const { text, values } = statementOf(sql`SELECT ${"'; DROP TABLE t"} FROM ${raw('t')} ${fragment('WHERE true')}`);
    expect(text).toBe('SELECT $1 FROM t WHERE true');
    expect(values).toEqual(["'; DROP TABLE t"]);
  });

  it('has rows with named columns, and the same text for any number of them', () => {
    const statement = (items: { id: number; name?: string }[]) =>
      statementOf(
        sql`SELECT * FROM ${rowsOf('r', items, { id: ['integer', ({ id }) => id], name: ['text', ({ name }) => name ?? null] })}`,
      );
    expect(statement([{ id: 1, name: 'one' }, { id: 2 }])).toEqual({
      name: undefined,
      text: 'SELECT * FROM unnest($1::integer[], $2::text[]) AS r(id, name)',
      values: [
        [1, 2],
        ['one', null],
      ],
    });
    expect(statement([]).text).toBe(statement([{ id: 1 }]).text);
  });

  it('has fragments one after the other', () => {
    expect(statementOf(sql`SELECT ${joined([sql`${1}`, sql`${2}`, raw('now()')], ', ')}`).text).toBe(
      'SELECT $1, $2, now()',
    );
    expect(statementOf(joined([], ', ')).text).toBe('');
  });
});

it('a fragment without parameters is part of a constant text, and one with parameters is refused there', () => {
  expect(`SELECT ${sql`now() ${raw('AS now')}`}`).toBe('SELECT now() AS now');
  expect(() => `SELECT ${sql`${1}`}`).toThrow('SQL with parameters is not a text');
});
