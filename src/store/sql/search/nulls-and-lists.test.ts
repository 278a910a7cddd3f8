import { onEachEngine } from '../../../../test/support/engines.ts'
import { rulesOn, shelfWith } from '../../../../test/support/shelf.ts'

onEachEngine('conditions on what is not there, and on lists', (engine) => {
  const open = shelfWith(engine, {
    full: {
      properties: {
        'dc:title': 'b',
        'dc:source': 'b',
        'my:boolean': true,
        'my:long': 5,
        'dc:subjects': ['foo', 'bar/baz'],
        'my:longs': [1, 20],
        'my:dates': ['2020-01-01T10:00:00.000Z', '2022-06-01T00:00:00.000Z'],
        'my:defaulted': 'the default',
      },
    },
    other: { properties: { 'dc:title': 'x', 'dc:source': '', 'my:boolean': false, 'dc:subjects': ['zoo'], 'my:longs': [3] } },
    bare: {},
  })
  const rule = rulesOn(open)

  rule(
    '5 a missing scalar passes no comparison, whether it is indexed or not, and neither does NOT of one',
    ["dc:title = 'b'", 'full'],
    ["dc:title <> 'b'", 'other'],
    ["NOT dc:title = 'b'", 'other'],
    ["NOT dc:title <> 'b'", 'full'],
    ["dc:title NOT IN ('b', 'c')", 'other'],
    ["dc:title NOT LIKE 'b%'", 'other'],
    ["dc:title NOT ILIKE 'B%'", 'other'],
    ["dc:title NOT BETWEEN 'a' AND 'c'", 'other'],
    ["dc:source <> 'b'", 'other'],
    ["dc:source < 'c'", 'full other'],
    ['NOT my:long > 100', 'full'],
    ["NOT (dc:source = 'b' AND my:long = 5)", 'other'],
  )
  rule(
    '5 IS NULL finds what is missing, and the empty text is not missing',
    ['dc:source IS NULL', 'bare'],
    ['dc:source IS NOT NULL', 'full other'],
    ["dc:source = ''", 'other'],
    ['NOT dc:source IS NULL', 'full other'],
  )
  rule(
    '5 a boolean of a schema that is missing is neither 0 nor 1, and one of the system is 0',
    ['my:boolean = 1', 'full'],
    ['my:boolean = 0', 'other'],
    ['my:boolean <> 1', 'other'],
    ['ecm:isTrashed = 0', 'full other bare'],
    ['ecm:isRecord <> 1', 'full other bare'],
  )
  rule(
    '5 a list passes a test when one of its items does',
    ["dc:subjects = 'foo'", 'full'],
    ["dc:subjects IN ('zoo', 'foo')", 'full other'],
    ["dc:subjects LIKE '%oo'", 'full other'],
    ["dc:subjects ILIKE 'FO%'", 'full'],
    ["dc:subjects STARTSWITH 'bar'", 'full'],
    ["dc:subjects STARTSWITH 'ba'", ''],
    ["DATE(my:dates) = DATE '2020-01-01'", 'full'],
  )
  rule(
    '5 a list passes a negative test when none of its items passes the positive one, also when it is empty',
    ["dc:subjects <> 'foo'", 'other bare'],
    ["dc:subjects NOT IN ('zoo', 'foo')", 'bare'],
    ["dc:subjects NOT LIKE 'f%'", 'other bare'],
    ["dc:subjects NOT ILIKE 'F%'", 'other bare'],
    ["NOT dc:subjects = 'foo'", 'other bare'],
    ["NOT dc:subjects STARTSWITH 'bar'", 'other bare'],
  )
  rule(
    '5 with a wildcard a positive test means the same, and a negative one asks for an item that does not pass',
    ["dc:subjects/* = 'foo'", 'full'],
    ["dc:subjects/* <> 'foo'", 'full other'],
    ["dc:subjects/* NOT IN ('zoo', 'foo')", 'full'],
    ["dc:subjects/* NOT LIKE '%oo'", 'full'],
    ['my:longs/* <> 1', 'full other'],
  )
  rule(
    '5 an empty list is null, with a wildcard and without',
    ['dc:subjects/* IS NULL', 'bare'],
    ['dc:subjects IS NULL', 'bare'],
    ['dc:subjects/* IS NOT NULL', 'full other'],
    ['dc:subjects IS NOT NULL', 'full other'],
  )
  rule(
    '5 a list is within a range when one of its items is',
    ['my:longs > 10', 'full'],
    ['my:longs BETWEEN 2 AND 4', 'other'],
    ['my:longs <= 3', 'full other'],
    ["my:dates < DATE '2021-01-01'", 'full'],
  )
  rule(
    '5 a default is matched where it is stored',
    ["my:defaulted = 'the default'", 'full'],
    ['my:defaulted IS NULL', 'other bare'],
  )
})

onEachEngine('items of lists of complex values', (engine) => {
  const open = shelfWith(engine, {
    two: {
      properties: {
        'dc:title': 'T',
        'p:people': [
          { first: 'John', last: 'Doe', age: 30, phones: ['1', '2'] },
          { first: 'Ann', last: 'Ray', age: null, phones: [] },
        ],
        'p:owner': { firstname: 'Olga', lastname: null },
        'file:content': { key: 'k', digest: 'd', name: 'memo.txt', length: 25 },
      },
    },
    none: { properties: { 'dc:title': 'N' } },
  })
  const rule = rulesOn(open)

  rule(
    '4 members of complex values and of blobs are asked for by their path',
    ["p:owner/firstname = 'Olga'", 'two'],
    ['p:owner/lastname IS NULL', 'two none'],
    ["file:content/name LIKE 'memo%'", 'two'],
    ['file:content/length > 24.5', 'two'],
    ["file:content/data = 'd'", 'two'],
    ["ecm:blobKeys = 'd'", 'two'],
    ["ecm:blobKeys LIKE 'd%'", 'two'],
    ["ecm:blobKeys <> 'd'", 'none'],
  )
  rule(
    '4 an index stands for one item, and is null beyond the end',
    ["p:people/0/last = 'Doe'", 'two'],
    ["p:people/1/last = 'Doe'", ''],
    ['p:people/7/last IS NULL', 'two none'],
    ["p:people/0/phones/1 = '2'", 'two'],
  )
  rule(
    '5 wildcards without a number choose items each for itself, those with the same number the same item',
    ["p:people/*/first = 'John' AND p:people/*/last = 'Ray'", 'two'],
    ["p:people/*1/first = 'John' AND p:people/*1/last = 'Ray'", ''],
    ["p:people/*1/first = 'John' AND p:people/*1/last = 'Doe'", 'two'],
    ["p:people/*1/first = 'John' AND p:people/*2/last = 'Ray'", 'two'],
    ["(p:people/*1/first = 'X' OR p:people/*1/first = 'Ann') AND dc:title = 'T' AND p:people/*1/last = 'Ray'", 'two'],
    ["NOT (p:people/*1/first = 'John' OR p:people/*1/last = 'Ray')", ''],
  )
  rule(
    '5 wildcards nest, and an empty list inside an item is null once',
    ["p:people/*/phones/* = '2'", 'two'],
    ["p:people/*1/first = 'Ann' AND p:people/*1/phones/* IS NULL", 'two'],
    ["p:people/*1/first = 'John' AND p:people/*1/phones/* IS NULL", ''],
    ["p:people/*1/first = 'John' AND p:people/*1/phones = '1'", 'two'],
    ["p:people/*1/first = 'Ann' AND p:people/*1/phones <> '1'", 'two'],
    ['p:people/*/first IS NULL', 'none'],
    ['p:people/*/age IS NULL', 'two none'],
  )
})
