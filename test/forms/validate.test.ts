/** Submitted variables against forms: each kind of field, and the bounds of one check. */
import { describe, expect, it, vi } from 'vitest';
import type { Component, FormSchema } from '@perdure/forms/read-form.js';
import { scopeOf } from '@perdure/forms/scope.js';
import { validateForm, type FormIssue } from '@perdure/forms/validate.js';

function check(components: Component[], variables: Record<string, unknown>): FormIssue[] {
  const form: FormSchema = { id: 'f', components };
  return validateForm(form, { variables, visible: {}, now: 0 });
}

const options = [
  { label: 'A', value: 'a' },
  { label: 'B', value: 'b' },
];

function wrongDate(subtype: string, text: string, message: string): [Component, unknown, string] {
  return [{ type: 'datetime', key: 'x', subtype }, text, message];
}

describe('a value of the wrong kind', () => {
  it.each<[Component, unknown, string]>([
    [{ type: 'textfield', key: 'x' }, 5, 'must be a text'],
    [{ type: 'textarea', key: 'x' }, ['a'], 'must be a text'],
    [{ type: 'number', key: 'x' }, 'five', 'must be a number'],
    [{ type: 'number', key: 'x' }, '5', 'must be a number'],
    [{ type: 'number', key: 'x', decimalDigits: 0 }, 1.5, 'must be an integer'],
    [{ type: 'number', key: 'x', decimalDigits: 1 }, 1e-7, 'must have at most 1 decimal digits'],
    [{ type: 'number', key: 'x', validate: { min: 3, max: 4 } }, 2, 'must be at least 3'],
    [{ type: 'number', key: 'x', validate: { min: 3, max: '4' } }, 5, 'must be at most 4'],
    [{ type: 'checkbox', key: 'x' }, 'yes', 'must be true or false'],
    [{ type: 'select', key: 'x', values: options }, 'c', 'must be one of the options'],
    [{ type: 'radio', key: 'x', values: options }, { value: 'a' }, 'must be one of the options'],
    [{ type: 'checklist', key: 'x', values: options }, 'a', 'must be a list'],
    [{ type: 'taglist', key: 'x', values: options }, ['a', 'c'], 'must contain options only'],
    [{ type: 'datetime', key: 'x' }, '2026-02-30T10:00', 'must be a date such as 2026-01-31'],
    [{ type: 'datetime', key: 'x', subtype: 'time' }, '9:30', 'must be a time such as 09:30'],
    ...['2026-02-30', '2026-04-31', '2026-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '012026-01-01'].map((day) =>
      wrongDate('date', day, 'must be a date such as 2026-01-31'),
    ),
    ...['29:30', '24:01', '09:60', '09:30:60', '09:30+99:99', '09:30.5', '09:30:00+14:99'].map((time) =>
      wrongDate('time', time, 'must be a time such as 09:30'),
    ),
    ...['2026-02-30T10:00', '2026-02-28T99:99Z', '2026-02-28T09:30+99:00'].map((text) =>
      wrongDate('datetime', text, 'must be a date and time such as 2026-01-31T09:30Z'),
    ),
    [
      { type: 'datetime', key: 'x', subtype: 'datetime' },
      '2026-01-31',
      'must be a date and time such as 2026-01-31T09:30Z',
    ],
    [{ type: 'textfield', key: 'x', validate: { minLength: 3 } }, ' a ', 'must have at least 3 characters'],
    [{ type: 'textfield', key: 'x', validate: { pattern: '^[0-9]+$' } }, 'a1', 'must match the pattern ^[0-9]+$'],
  ])('%j refuses %j', (field, value, message) => {
    expect(check([field], { x: value })).toEqual([{ path: '/variables/x', message }]);
  });
});

it.each<[Component, unknown]>([
  [{ type: 'number', key: 'x', serializeToString: true }, '5.25'],
  [{ type: 'taglist', key: 'x', values: options }, ['b', 'a']],
  [{ type: 'select', key: 'x', valuesKey: 'given' }, 'anything'],
  [{ type: 'datetime', key: 'x', subtype: 'datetime' }, '2026-01-31T09:30+01:00'],
  [{ type: 'datetime', key: 'x', subtype: 'datetime' }, '2028-02-29T23:59:59.123Z'],
  [{ type: 'datetime', key: 'x', subtype: 'date' }, '2000-02-29'],
  [{ type: 'datetime', key: 'x', subtype: 'time' }, '00:00-12:00'],
  [{ type: 'textfield', key: 'x', disabled: true, validate: { required: true } }, undefined],
  [{ type: 'textfield', key: 'x' }, undefined],
])('%j accepts %j', (field, value) => {
  expect(check([field], { x: value })).toEqual([]);
});

describe('a dynamic list', () => {
  const list: Component = {
    type: 'dynamiclist',
    path: 'people',
    components: [
      { type: 'textfield', key: 'name', validate: { required: true } },
      { type: 'number', key: 'age', conditional: { hide: '=this.name = "Ada"' } },
    ],
  };

  it('names the item of each issue, and sees the item in conditions', () => {
    const people = [{ name: 'Ada', age: 'old' }, { age: 'young' }, 'Grace'];
    expect(check([list], { people })).toEqual([
      { path: '/variables/people/1/name', message: 'is required' },
      { path: '/variables/people/1/age', message: 'must be a number' },
      { path: '/variables/people/2', message: 'must be an object' },
    ]);
  });

  it('must be a list', () => {
    expect(check([list], { people: {} })).toEqual([{ path: '/variables/people', message: 'must be a list' }]);
  });
});

describe('one check is bounded', () => {
  const many = (count: number, make: (index: number) => Component) => Array.from({ length: count }, (_, i) => make(i));
  const spent = (what: string) => ({
    path: '/variables',
    message: `cannot be checked, because the form and its values have ${what}`,
  });

  it('in items of a value', () => {
    const values = many(20_000, (i) => ({ type: '', value: `v${i}` }));
    const field = { type: 'checklist', key: 'x', values };
    expect(check([field], { x: Array.from({ length: 20_000 }, () => 'v19999') })).toEqual([]);
    expect(check([field], { x: Array.from({ length: 60_000 }, () => 'v19999') })).toEqual([
      spent('more than 50000 fields and items'),
    ]);
  });

  it('in expressions: those that cannot be evaluated in time do not count as false', () => {
    const field = (i: number): Component => ({
      type: 'textfield',
      key: `k${i}`,
      conditional: { hide: `=count(for x in 1..90000 return x) > ${i}` },
      validate: { required: true },
    });
    expect(check(many(10, field), {})).toEqual([spent('expressions that need too much work')]);
  });

  it('in the length of expressions', () => {
    const field = (i: number): Component => ({ type: 'number', key: `k${i}`, conditional: { hide: `=k${i} = ${i}` } });
    expect(check(many(5_000, field), {})).toEqual([spent('expressions of more than 50000 characters')]);
  });

  it('in steps of patterns', () => {
    const field = (i: number): Component => ({ type: 'textfield', key: `k${i}`, validate: { pattern: '(a|aa)+b' } });
    const variables = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 'a'.repeat(200)]));
    expect(check(many(5_000, field), variables).at(-1)).toEqual(spent('texts that are too long for their patterns'));
  });
});

describe('conditions and limits', () => {
  const withLimits: Component[] = [
    { type: 'number', key: 'amount', validate: { max: '=limit' } },
    { type: 'number', key: 'order.count', validate: { max: '=order.most' } },
    {
      type: 'textfield',
      key: 'reason',
      validate: { required: true },
      conditional: { hide: '=amount <= free and order.count <= order.free' },
    },
  ];
  const visible = { limit: 100, free: 50, order: { most: 10, free: 5 } };
  const issuesOf = (variables: Record<string, unknown>) =>
    validateForm({ id: 'f', components: withLimits }, { variables, visible, now: 0 }).map(
      ({ path, message }) => `${path} ${message}`,
    );

  it('read the submitted values of fields instead of those that are visible', () => {
    expect(issuesOf({ amount: 50, order: { count: 5 } })).toEqual([]);
    expect(issuesOf({ amount: 51, order: { count: 5 } })).toEqual(['/variables/reason is required']);
  });

  it('are not lifted by submitted variables that are not fields', () => {
    expect(
      issuesOf({ amount: 1000, limit: 1e9, free: 1e9, order: { count: 1000, most: 1e9, free: 1e9 }, reason: '' }),
    ).toEqual([
      '/variables/amount must be at most 100',
      '/variables/order/count must be at most 10',
      '/variables/reason is required',
    ]);
  });

  it('read the submitted variables that are not visible', () => {
    const field: Component = { type: 'number', key: 'x', validate: { max: '=most' } };
    expect(check([field], { x: 5, most: 4 })).toEqual([{ path: '/variables/x', message: 'must be at most 4' }]);
  });

  it('look up what they name, however many variables there are', () => {
    const listed = vi.fn(Reflect.ownKeys);
    const scope = scopeOf(new Proxy<Record<string, unknown>>({ a: 1 }, { ownKeys: listed }), {
      self: null,
      parent: null,
      indexes: [1],
    });
    expect([scope.get('a'), scope.get('i'), scope.has('b')]).toEqual([1, [1], false]);
    expect(listed).not.toHaveBeenCalled();
  });
});

it('items of a list count as work also if the list has no fields', () => {
  const items = Array.from({ length: 50_001 }, () => ({}));
  expect(check([{ type: 'dynamiclist', path: 'items', components: [] }], { items })).toEqual([
    {
      path: '/variables',
      message: 'cannot be checked, because the form and its values have more than 50000 fields and items',
    },
  ]);
});

it('the same long text in very many fields is not measured again and again', () => {
  const field: Component = { type: 'textarea', key: 'x', validate: { minLength: 1 } };
  const [issue] = check(Array<Component>(30).fill(field), { x: ' '.repeat(1_000_000) });
  expect(issue?.message).toBe('must have at least 1 characters');
  expect(check(Array<Component>(30).fill(field), { x: ' '.repeat(1_000_000) }).at(-1)?.message).toContain(
    'more than 20000000 characters',
  );
});
