import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { type Expectation, rulesOn, shelfWith } from '../../../../test/support/shelf.ts'

const title = (text: string) => ({ properties: { 'dc:title': text, 'dc:source': text } })
const long = `${'ä'.repeat(500)}z`

onEachEngine('comparing texts', (engine) => {
  const open = shelfWith(engine, {
    lower: title('foo'),
    upper: title('FOO'),
    below: title('foo/bar'),
    slash: title('foo/'),
    ball: title('football'),
    percent: title('fo%'),
    backslash: title('fo\\'),
    lines: title('a\nb'),
    emoji: title('x😀y'),
    private: title('x\ue000y'),
    stars: title('a*b?c[d]e_f'),
    empty: title(''),
    long: title(long),
    longer: title(`${long}z`),
    none: {},
  })
  const rule = (name: string, ...expectations: readonly Expectation[]) =>
    test(name, async () => {
      const shelf = await open()
      for (const [condition, names] of expectations) {
        for (const property of ['dc:title', 'dc:source']) {
          const query = `SELECT * FROM Specimen WHERE ${condition.replaceAll('$', property)}`
          assert.equal(await shelf.find(query), names, query)
        }
      }
    })

  rule('6 = tells upper from lower case', ["$ = 'foo'", 'lower'], ["$ IN ('FOO', 'x')", 'upper'])
  rule(
    '6 texts compare by code points, beyond those of 16 bits as well',
    ["$ > 'Z' AND $ <= 'foo'", 'lower percent backslash lines stars'],
    ["$ > 'x\ue000' AND $ < 'y'", 'emoji private'],
    ["$ > 'x\uffff' AND $ < 'y'", 'emoji'],
    ["$ BETWEEN 'foo' AND 'foo/'", 'lower slash'],
  )
  rule(
    '6 texts that agree in the first five hundred characters are told apart all the same',
    [`$ = '${long}'`, 'long'],
    [`$ <> '${long}' AND $ STARTSWITH '${long.slice(0, 500)}'`, ''],
    [`$ IN ('${long}z', 'x')`, 'longer'],
    [`$ > '${long}'`, 'longer'],
    [`$ <= '${long}' AND $ > 'é'`, ''],
    [`$ <= '${long}' AND $ > '${'ä'.repeat(500)}'`, 'long'],
    [`$ LIKE '${long}'`, 'long'],
    [`$ LIKE '${long}%'`, 'long longer'],
  )
  rule(
    '6 STARTSWITH finds a value and what is below it, not what only begins so',
    ["$ STARTSWITH 'foo'", 'lower below slash'],
    ["$ STARTSWITH 'foo/bar/baz'", ''],
    ["NOT $ STARTSWITH 'foo' AND $ < 'fop' AND $ > 'foo'", 'ball'],
  )
  rule(
    '6 LIKE matches the whole text, with % for any run and _ for one character, also across lines and beyond 16 bits',
    ["$ LIKE 'foo'", 'lower'],
    ["$ LIKE 'foo%'", 'lower below slash ball'],
    ["$ LIKE '%b%'", 'below ball lines stars'],
    ["$ LIKE 'f_o'", 'lower'],
    ["$ LIKE 'a_b'", 'lines'],
    ["$ LIKE 'a%b'", 'lines'],
    ["$ LIKE 'x_y'", 'emoji private'],
    ["$ LIKE ''", 'empty'],
    ["$ LIKE 'F%'", 'upper'],
    ["$ NOT LIKE '%o%' AND $ < 'g'", 'upper lines stars empty'],
  )
  rule(
    '6 a backslash takes the meaning from %, _ and itself, and a last one is ignored',
    [String.raw`$ LIKE 'fo\%'`, 'percent'],
    [String.raw`$ LIKE 'fo\\\\'`, 'backslash'],
    [String.raw`$ LIKE '%e\_f'`, 'stars'],
    [String.raw`$ LIKE 'foo\'`.replace("\\'", "\\\\'"), 'lower'],
  )
  rule(
    '6 no other sign means anything in a pattern',
    ["$ LIKE 'a*b?c[d]e%'", 'stars'],
    ["$ LIKE '%[d]%'", 'stars'],
    ["$ LIKE 'f*'", ''],
  )
  rule(
    '6 ILIKE ignores case and nothing else',
    ["$ ILIKE 'FoO'", 'lower upper'],
    ["$ ILIKE '%BALL'", 'ball'],
    ["$ ILIKE 'FO_'", 'lower upper percent backslash'],
    ["$ ILIKE 'Ä%'", 'long longer'],
    ["$ ILIKE 'a%'", 'lines stars'],
  )
  rule(
    'what no stored text can hold is looked for in vain, and bounds that hold it keep their place',
    ["$ = 'fo\u0000o'", ''],
    ["$ <> 'fo\u0000o' AND $ LIKE 'foo'", 'lower'],
    ["$ IN ('a\u0000', 'foo')", 'lower'],
    ["$ IN ('a\u0000')", ''],
    ["$ NOT IN ('a\u0000') AND $ LIKE 'foo'", 'lower'],
    ["$ LIKE '%\u0000%'", ''],
    ["$ ILIKE '%\u0000%'", ''],
    ["$ STARTSWITH 'foo\u0000'", ''],
    ["$ >= 'foo' AND $ < 'foo\u0000z'", 'lower'],
    ["$ > 'foo\u0000z' AND $ <= 'foo/'", 'slash'],
  )
})

const number = (long: number | bigint, double: number) => ({ properties: { 'my:long': long, 'my:double': double } })

onEachEngine('comparing numbers and dates', (engine) => {
  const open = shelfWith(engine, {
    small: number(-5, 0.1),
    even: number(9_007_199_254_740_992n, 5),
    odd: number(9_007_199_254_740_993n, 5.5),
    largest: number(9_223_372_036_854_775_807n, 1e17),
    huge: number(0, 1e300),
    dated: { properties: { 'dc:created': '2024-05-01T10:00:00.000Z', 'dc:issued': '2024-05-01T10:00:00.001Z' } },
    broken: { properties: { 'my:long': 'no number', 'my:boolean': 7 } },
  })
  const rule = rulesOn(open)

  rule(
    '6 integers of 64 bits are exact, also beside doubles',
    ['my:long = 9007199254740993', 'odd'],
    ['my:long > 9007199254740992', 'odd largest'],
    ['my:long >= 9007199254740992.0 AND my:long < 9007199254740994', 'even odd'],
    ['my:long = 9223372036854775807', 'largest'],
    ['my:long IN (9007199254740992, -5)', 'small even'],
    ['my:long < 0.5', 'small huge'],
    ['my:long > 1e18', 'largest'],
  )
  rule(
    '6 an integer compares with a double and the other way round',
    ['my:double = 5', 'even'],
    ['my:double = 0.1', 'small'],
    ['my:double IN (5, 5.5, 7)', 'even odd'],
    ['my:double BETWEEN 5 AND 6', 'even odd'],
    ['my:double > 5.4', 'odd largest huge'],
    ['my:double = 1e17', 'largest'],
    ['my:double = 100000000000000000', 'largest'],
    ['my:double >= 1e300', 'huge'],
    ['my:double < my:long', 'even odd largest'],
  )
  rule(
    '6 dates are moments, to the millisecond, and DATE() is their day',
    ["dc:created = TIMESTAMP '2024-05-01 10:00:00'", 'dated'],
    ["dc:created = TIMESTAMP '2024-05-01T12:00:00+02:00'", 'dated'],
    ["dc:issued = TIMESTAMP '2024-05-01 10:00:00'", ''],
    ["dc:created = DATE '2024-05-01'", ''],
    ["DATE(dc:created) = DATE '2024-05-01'", 'dated'],
    ["DATE(dc:created) <= DATE '2024-04-30'", ''],
    ['dc:created < dc:issued', 'dated'],
    ["dc:created > NOW('-PT3H') AND dc:created < NOW()", 'dated'],
    ["DATE '2024-01-01' < NOW() AND dc:created IS NOT NULL", 'dated'],
    ["DATE '2025-01-01' < NOW()", ''],
  )
  rule(
    'a value of another type than its field is none, and breaks nothing',
    ['my:long > -100 AND my:long < -1', 'small'],
    ['my:boolean = 1', ''],
  )
})
