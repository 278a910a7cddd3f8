import type { ScalarKind } from '../../../src/model/field.ts'
import type { Long } from '../../../src/model/properties/long.ts'
import type { BlobValue, PropertyValue } from '../../../src/model/properties/property.ts'
import type { Random } from '../../faults/kill/random.ts'
import { happens, oneOf } from './chance.ts'

// Few values, so that documents share them and queries find them; each is there for what it did to somebody once.
export const texts: readonly string[] = [
  ...['a', 'A', 'b', 'ab', 'ba', 'aa', 'e', 'é', 'É', 'e\u0301', 'ß', 'SS', 'İ', 'i', 'ı', 'ﬁ', 'æ', 'σ', 'ς', 'Σ', 'ǅ'],
  ...['', ' ', 'foo', 'foo/bar', 'foo/bar/baz', 'football', 'Foo', 'foo bar', 'bar foo', 'gee moo gee', 'the foo'],
  ...[
    'a%b',
    'a_b',
    'a\\b',
    'a\\',
    '%',
    '_',
    '\\',
    "it's",
    '"quoted"',
    'line\nbreak',
    'tab\there',
    'a*b',
    '-a',
    "'; DROP TABLE documents; --",
  ],
  ...[
    'Annual Report',
    'annual rapport',
    'ÉTÉ à Été',
    'İstanbul İİİ',
    'STRASSE straße',
    'ΣΙΣΥΦΟΣ σισυφος',
    '300 \u212a \u212bngström',
  ],
  ...['a😀b😀😀c', '50%_off\\now', 'a"b"c OR d', 'ǅǅǅ aaaaaa'],
  ...['😀', '😀a', '\uff21', '\ue000', '漢字', '日本 語', 'क्षि', 'שָׁלוֹם', '각'],
  ...['0', '1', '10', '9', 'null', 'true', '2007-03-01', 'well-known', 'a.b', 'x@y.org'],
  `${'z'.repeat(499)}a${'y'.repeat(30)}`,
  `${'z'.repeat(499)}a${'y'.repeat(29)}x`,
  `${'z'.repeat(499)}b`,
]

export const longs: readonly Long[] = [
  -10,
  -1,
  0,
  1,
  2,
  3,
  10,
  11,
  2 ** 31,
  2 ** 53 - 1,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
]

// None so far below zero that the sum of some of them depends on the order in which they are added.
export const doubles: readonly number[] = [-1.5, -1, 0, 0.1, 0.5, 1, 1.5, 2, 3, 10, 1e17, 1e300, 1e-300, 2 ** 53]

export const dates: readonly string[] = [
  '1969-12-31T23:59:59.999Z',
  '2007-03-01T00:00:00.000Z',
  '2007-03-01T12:00:00.000Z',
  '2007-03-01T12:00:00.001Z',
  '2007-03-01T23:59:59.999Z',
  '2007-03-02T00:00:00.000Z',
  '2024-02-29T10:30:00.500Z',
  '2031-05-01T00:00:00.000Z',
  '2031-06-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
]

/** The moment at which all queries run. */
export const now = '2031-06-01T00:00:00.000Z'

export function aScalar(random: Random, kind: ScalarKind): PropertyValue {
  switch (kind) {
    case 'long':
      return oneOf(random, longs)
    case 'double':
      return oneOf(random, doubles)
    case 'boolean':
      return happens(random, 0.5)
    case 'date':
      return oneOf(random, dates)
    default:
      return oneOf(random, texts)
  }
}

export function aBlob(random: Random): BlobValue {
  const digest = oneOf(random, ['abc', 'def'])
  return {
    key: digest,
    name: oneOf(random, ['memo.txt', 'Memo.TXT', 'été.pdf', null]),
    'mime-type': oneOf(random, ['text/plain', 'application/pdf', null]),
    encoding: oneOf(random, ['UTF-8', null]),
    digest,
    digestAlgorithm: 'MD5',
    length: oneOf(random, [0, 25, 1_000_000]),
  }
}
