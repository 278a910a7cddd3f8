import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { scanToken } from './scanner.ts'
import type { QueryToken } from './tokens.ts'

function tokensOf(text: string): readonly QueryToken[] {
  const tokens: QueryToken[] = []
  for (let token = scanToken(text, 0); token.kind !== 'end'; token = scanToken(text, token.end)) tokens.push(token)
  return tokens
}

const kinds = (text: string) => tokensOf(text).map((token) => `${token.kind} ${token.text}`)

describe('names and paths', () => {
  const single = {
    name: ['dc:title', 'my-schema:a.b', '_x', '$x', 'a-b', 'ecm:fulltext.dc:title', 'order', 'group', 'by', 'true'],
    path: ['a/b', 'a/0', 'a/*', 'a/*1', 'a/item[3]', 'a/item[*]', 'a/item[*12]/b', 'tst2:notifs/*/subscribers/*', 'type/x'],
  }
  for (const [kind, texts] of Object.entries(single)) {
    for (const text of texts) test(`${text} is one ${kind}`, () => assert.deepEqual(kinds(text), [`${kind} ${text}`]))
  }

  test('a path ends where no step follows', () => {
    assert.deepEqual(kinds('a/ b'), ['name a', 'sign /', 'name b'])
    assert.deepEqual(kinds('a/007'), ['path a/0', 'double 07'])
    assert.deepEqual(kinds('a/*01'), ['path a/*0', 'integer 1'])
  })
})

describe('keywords', () => {
  for (const text of ['SELECT', 'Select', 'select', 'sElEcT', 'StartsWith', 'ILike', 'TimeStamp']) {
    test(`${text} is a keyword in any case`, () => assert.equal(scanToken(text, 0).kind, 'keyword'))
  }

  for (const text of ['ORDER BY', 'order\n\t BY', 'Group  By']) {
    test(`${JSON.stringify(text)} is one keyword, whatever white space is inside`, () => {
      const [token, ...more] = tokensOf(text)
      assert.equal(token?.kind, 'keyword')
      assert.deepEqual([token.text, more.length], [text, 0])
    })
  }

  test('ORDER without BY is a name, and so is what only begins with BY', () => {
    assert.deepEqual(kinds('ORDER = 1'), ['name ORDER', 'sign =', 'integer 1'])
    assert.deepEqual(kinds('order by:x'), ['name order', 'name by:x'])
  })
})

describe('numbers', () => {
  for (const [text, value] of [
    ['0', 0],
    ['-1', -1],
    ['12', 12],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ] as const) {
    test(`${text} is an integer`, () =>
      assert.deepEqual(tokensOf(text), [{ kind: 'integer', value, text, offset: 0, end: text.length }]))
  }

  for (const [text, value] of [
    ['1.5', 1.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1.5E-3', 0.0015],
    ['007', 7],
  ] as const) {
    test(`${text} is a double`, () =>
      assert.deepEqual(tokensOf(text), [{ kind: 'double', value, text, offset: 0, end: text.length }]))
  }

  for (const text of ['9223372036854775808', '1e400', '-99999999999999999999999']) {
    test(`${text} is beyond its range`, () =>
      assert.throws(() => tokensOf(`x ${text}`), { message: `Syntax error: Invalid token <${text}> at offset 2` }))
  }
})

describe('strings', () => {
  const stringIn = (text: string) => {
    const token = scanToken(text, 0)
    return token.kind === 'string' && token.end === text.length ? token.value : undefined
  }
  const readable: readonly (readonly [string, string])[] = [
    [`'a'`, 'a'],
    [`"a"`, 'a'],
    [`''`, ''],
    [`'it"s'`, 'it"s'],
    [`"it's"`, "it's"],
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"a\"b"`, 'a"b'],
    [String.raw`'a\"b'`, 'a\\"b'],
    [String.raw`'te\st'`, 'te\\st'],
    [String.raw`'a\tb\nc\rd\\e'`, 'a\tb\nc\rd\\e'],
    [String.raw`'\\'`, '\\'],
    [String.raw`'fo\%'`, 'fo\\%'],
    [`'😀 \u2028'`, '😀 \u2028'],
  ]
  for (const [text, value] of readable) test(`${text} is ${JSON.stringify(value)}`, () => assert.equal(stringIn(text), value))

  test('a raw line break is refused where it is', () => {
    assert.throws(() => tokensOf("'a\nb'"), { message: 'Lexical Error: Illegal character <\n> at offset 2' })
    assert.throws(() => tokensOf("'a\\\rb'"), { message: 'Lexical Error: Illegal character <\r> at offset 3' })
  })

  test('a string without an end is refused where it begins', () => {
    assert.throws(() => tokensOf("x 'abc"), { message: "Lexical Error: Illegal character <'> at offset 2" })
    assert.throws(() => tokensOf(String.raw`'abc\'`), { message: "Lexical Error: Illegal character <'> at offset 0" })
  })

  test('what clients escape is read back as it was', () => {
    const escaped = (text: string) =>
      text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    fc.assert(fc.property(fc.string(), (text) => assert.equal(stringIn(`'${escaped(text)}'`), text)))
  })
})

describe('characters that begin nothing', () => {
  for (const character of ['?', ':', ';', '!', '[', '%', '\u00a0', '😀', 'é', '.', '&']) {
    test(`${character} is refused with its place`, () =>
      assert.throws(() => tokensOf(`ab ${character}`), {
        message: `Lexical Error: Illegal character <${character}> at offset 3`,
      }))
  }
})

describe('hints', () => {
  const hintOf = (text: string) => {
    const token = scanToken(text, 0)
    return token.kind === 'hint' && token.end === text.length ? token.hint : undefined
  }

  test('say index, analyzer and operator in this order', () =>
    assert.deepEqual(hintOf('/*+ES: INDEX(dc:title.fulltext^3, f2) ANALYZER(a) OPERATOR(match) */'), {
      fields: ['dc:title.fulltext^3', 'f2'],
      analyzer: 'a',
      operator: 'match',
    }))

  test('may leave out each of them, and write them in any case', () => {
    assert.deepEqual(hintOf('/*+ES: */'), { fields: [] })
    assert.deepEqual(hintOf('/*+es:operator( x )*/'), { fields: [], operator: 'x' })
  })

  for (const text of ['/*+ES: OPERATOR(a) INDEX(b) */', '/*+ES: INDEX() */', '/*+ES: INDEX(a', '/*+ES: FOO(a) */']) {
    test(`${text} is refused where it begins`, () =>
      assert.throws(() => tokensOf(` ${text}`), { message: 'Lexical Error: Illegal character </> at offset 1' }))
  }

  test('are the only comments there are', () => {
    assert.deepEqual(kinds('/* a */'), ['sign /', 'sign *', 'name a', 'sign *', 'sign /'])
    assert.deepEqual(kinds('--a'), ['sign -', 'sign -', 'name a'])
  })
})

test('tokens and the white space between them are the whole text', () => {
  const word = fc.constantFrom('SELECT', 'dc:title', '1', '-2.5', "'x'", '<>', '(', 'a/*1', '=')
  const blank = fc.constantFrom(' ', '\t', '\r\n', '\f ')
  fc.assert(
    fc.property(fc.array(fc.tuple(word, blank)), (parts) => {
      const text = parts.flat().join('')
      assert.deepEqual(
        tokensOf(text).map((token) => text.slice(token.offset, token.end)),
        parts.map(([one]) => one),
      )
    }),
  )
})
