/** Expressions of the Unified Expression Language, as FEEL of the same meaning. */
import { describe, expect, it } from 'vitest';
import { asVariable, withoutProvided } from '@perdure/juel/names.js';
import { textAsFeel } from '@perdure/juel/text.js';

const feelOf = (text: string) => textAsFeel(text, withoutProvided(asVariable));

describe('an expression', () => {
  it.each([
    ['${amount > 100 && !vip}', '=amount > 100 and not(vip)'],
    ['#{a eq b or not c}', '=a = b or not(c)'],
    ['${a + b * 2}', '=a + (b * 2)'],
    ['${a + 1}', '=a + 1'],
    ['${(a + b) * 2}', '=(number(a) + number(b)) * 2'],
    ["${a + b.c + '1'}", '=number(a) + number(b.c) + "1"'],
    ['${a - b - c}', '=(a - b) - c'],
    ['${n % 2 == 0}', '=(modulo(n, 2)) = 0'],
    ['${-n}', '=-n'],
    ["${ok ? 'yes' : 'no'}", '=if ok then "yes" else "no"'],
    ['${empty items}', '=list contains([null, "", [], {}], items)'],
    ['${!empty items}', '=not(list contains([null, "", [], {}], items))'],
    ['${order.customer.name}', '=order.customer.name'],
    ['${order.getCustomer().name}', undefined],
    ['${items[0]}', '=items[1]'],
    ["${map['a key']}", '=get value(map, "a key")'],
    ['${items.size() > 2}', '=count(items) > 2'],
    ['${name.length()}', '=string length(name)'],
    ["${name.equals('Ann')}", '=(name = "Ann")'],
    ["${name.startsWith('A') and name.endsWith('n')}", '=starts with(name, "A") and ends with(name, "n")'],
    ["${execution.getVariable('total')}", '=total'],
    ["${var:gt('total', 10)}", '=(total > 10)'],
    ['${vars:getOrDefault(total, 0)}', '=(if is defined(total) then if total = null then 0 else total else 0)'],
    ['order-${id}', '="order-" + string(id)'],
    ['${a}-${b}', '=string(a) + "-" + string(b)'],
    ["${'a } b'}", '="a } b"'],
    ['${"it\\"s"}', '="it\\"s"'],
    ['${a && b && (c && d)}', '=a and b and (c and d)'],
    ['${order.if}', '=order.if'],
    ['\\${a}', '="${a}"'],
    ['\\\\#{a} ${b}', '="\\\\#{a} " + string(b)'],
    ['C:\\dir ${a}', '="C:\\\\dir " + string(a)'],
    ['no expression', 'no expression'],
    ['', ''],
  ])('%s becomes %s', (juel, feel) => {
    expect(feelOf(juel)).toBe(feel);
  });

  it.each([
    '${bean.method(a)}',
    '${dateTime().plusDays(1)}',
    '${execution.id}',
    '${task.assignee}',
    '${items[i]}',
    '${a b}',
    '${',
    '${a',
    '${}',
    '${1e400}',
    '${for}',
    `\${${'('.repeat(10_000)}a${')'.repeat(10_000)}}`,
    `\${${'!'.repeat(2_000)}a}`,
  ])('%.60s has no certain equivalent', (juel) => {
    expect(feelOf(juel)).toBeUndefined();
  });
});
