import type { Document } from '../../../src/model/document.ts'
import type { PropertyDefinition } from '../../../src/model/shape.ts'
import type { ValueType } from '../../../src/nxql/reference.ts'
import type { Random } from '../../faults/kill/random.ts'
import { happens, inOneWay, oneOf, times } from './chance.ts'
import { names, people, permissions } from './random-documents.ts'
import { ownFacet } from './random-model.ts'
import { type AskedPlace, aPlace } from './random-place.ts'
import { dates, doubles, longs, texts } from './random-values.ts'

/** What conditions can be about. */
export interface Subjects {
  readonly properties: readonly PropertyDefinition[]
  readonly documents: readonly Document[]
  readonly types: readonly string[]
}

const systemPlaces: readonly AskedPlace[] = [
  ...['ecm:name', 'ecm:primaryType', 'ecm:currentLifeCycleState', 'ecm:versionLabel', 'ecm:versionDescription'].map(text),
  ...['ecm:lockOwner', 'ecm:lock', 'ecm:uuid', 'ecm:parentId', 'ecm:versionVersionableId', 'ecm:proxyTargetId'].map(text),
  text('ecm:proxyVersionableId'),
  ...['ecm:retainUntil', 'ecm:versionCreated', 'ecm:lockCreated'].map((written) => place(written, 'date')),
  place('ecm:pos', 'long'),
]
const flags = ['isTrashed', 'isProxy', 'isVersion', 'isCheckedIn', 'isLatestVersion', 'isLatestMajorVersion', 'isRecord']

function text(written: string): AskedPlace {
  return place(written, 'string')
}

function place(written: string, type: ValueType): AskedPlace {
  return { written, type, isList: false }
}

/** One condition. */
export function aLeaf(random: Random, subjects: Subjects): string {
  return inOneWay(random, [
    [12, () => aTest(random, aProperty(random, subjects), subjects)],
    [4, () => aTest(random, oneOf(random, systemPlaces), subjects)],
    [2, () => aPatternTest(random, 'dc:title')],
    [2, () => aFlagTest(random)],
    [2, () => aPathTest(random, subjects)],
    [1, () => `ecm:ancestorId ${oneOf(random, ['=', '<>'])} ${quoted(anId(random, subjects))}`],
    [2, () => aFacetTest(random)],
    [4, () => aFulltextTest(random, subjects)],
    [2, () => aTest(random, text(oneOf(random, ['ecm:tag', 'ecm:tag/*', 'ecm:tag/*1', 'ecm:tag/*2'])), subjects)],
    [3, () => anAceTest(random)],
    [2, () => aComparison(random, subjects)],
    [0.5, () => aBlobKeyTest(random)],
    [1, () => aHintedTest(random)],
    [0.5, () => oneOf(random, ['1 = 0', '0 = 0', "'a' < 'b'", '1 <> 1.5'])],
  ])
}

/** Conditions on one thing, of which several may be made one question. */
export function someAlike(random: Random, subjects: Subjects): readonly string[] {
  const one = inOneWay(random, [
    [6, () => aPlaceTest(random, aProperty(random, subjects), subjects)],
    [3, () => aPlaceTest(random, oneOf(random, systemPlaces), subjects)],
    [1, () => () => `ecm:ancestorId ${oneOf(random, ['=', '<>'])} ${quoted(anId(random, subjects))}`],
    [1, () => () => aFacetTest(random)],
    [1, () => () => aPathTest(random, subjects)],
    [1, () => () => aFlagTest(random)],
  ])
  return times(random, 2, 8, one)
}

function aPlaceTest(random: Random, place: AskedPlace, subjects: Subjects): () => string {
  return () => aTest(random, place, subjects)
}

function aProperty(random: Random, { properties }: Subjects): AskedPlace {
  for (;;) {
    const found = aPlace(random, properties, { wildcards: true, lists: true })
    if (found !== undefined) return found
  }
}

/** A condition on a value of the place's type. */
function aTest(random: Random, { written, type, isList }: AskedPlace, subjects: Subjects): string {
  const literal = () => aLiteral(random, type, written, subjects)
  const not = () => (happens(random, 0.4) ? 'NOT ' : '')
  const isText = type === 'string'
  const hasOrder = type !== 'boolean'
  const equality = oneOf(random, ['=', '<>', '!='])
  const comparison = hasOrder ? oneOf(random, ['=', '<>', '!=', '<', '<=', '>', '>=']) : equality
  return inOneWay(random, [
    [4, () => `${written} ${comparison} ${literal()}`],
    [isList ? 0 : 0.5, () => `${literal()} ${comparison} ${written}`],
    [2, () => `${written} ${not()}IN (${times(random, 1, 4, literal).join(', ')})`],
    [hasOrder ? 1 : 0, () => `${written} ${not()}BETWEEN ${literal()} AND ${literal()}`],
    [isText ? 3 : 0, () => aPatternTest(random, written)],
    [isText ? 1 : 0, () => `${written} STARTSWITH ${quoted(oneOf(random, ['foo', 'foo/bar', 'a', '', 'foo/']))}`],
    [1.5, () => `${written} IS ${not()}NULL`],
    [type === 'date' ? 2 : 0, () => aDayTest(random, written)],
    [
      type === 'date' && !isList ? 1 : 0,
      () => `${written} ${oneOf(random, ['<', '>='])} NOW(${oneOf(random, ['', "'-P1M'", "'P1D'"])})`,
    ],
  ])
}

function aDayTest(random: Random, written: string): string {
  const day = () => `DATE '${oneOf(random, dates).slice(0, oneOf(random, [10, 10, 7, 4]))}'`
  return inOneWay(random, [
    [3, () => `DATE(${written}) ${oneOf(random, ['=', '<>', '<', '<=', '>', '>='])} ${day()}`],
    [1, () => `DATE(${written}) ${oneOf(random, ['IN', 'NOT IN'])} (${day()}, ${day()})`],
    [1, () => `DATE(${written}) ${oneOf(random, ['BETWEEN', 'NOT BETWEEN'])} ${day()} AND ${day()}`],
    [1, () => `${day()} <= DATE(${written})`],
  ])
}

function aFlagTest(random: Random): string {
  return `ecm:${oneOf(random, flags)} ${oneOf(random, ['=', '<>'])} ${random.between(0, 2)}`
}

function aPathTest(random: Random, { documents }: Subjects): string {
  if (happens(random, 0.2)) {
    const level = `/*+ES: INDEX(ecm:path@level${random.between(1, 4)}) */ ecm:path`
    return `${level} IN (${quoted(oneOf(random, names))}, ${quoted(oneOf(random, names))})`
  }
  const path = oneOf(random, documents).path ?? '/nowhere'
  const operator = oneOf(random, ['=', '<>', 'STARTSWITH', 'STARTSWITH'])
  return `ecm:path ${operator} ${quoted(happens(random, 0.2) ? `${path}/` : path)}`
}

function aFacetTest(random: Random): string {
  const facet = () =>
    quoted(oneOf(random, ['Folderish', 'HiddenInNavigation', 'Versionable', ownFacet, 'Commentable', 'Immutable', 'Nope']))
  if (happens(random, 0.5)) return `ecm:mixinType ${oneOf(random, ['=', '<>'])} ${facet()}`
  return `ecm:mixinType ${oneOf(random, ['IN', 'NOT IN'])} (${facet()}, ${facet()})`
}

function aFulltextTest(random: Random, { properties }: Subjects): string {
  const single = aPlace(random, properties, { wildcards: false, lists: false })
  const index = oneOf(random, [
    '',
    '',
    '',
    '_title',
    '_description',
    '.dc:title',
    '.dc:source',
    single?.type === 'string' ? `.${single.written}` : '',
  ])
  return `ecm:fulltext${index} ${oneOf(random, ['=', '=', 'LIKE'])} ${quoted(anExpression(random))}`
}

const words = ['foo', 'bar', 'FOO', 'gee', 'moo', 'e', 'É', 'a', 'b', 'the', 'foot', 'well-known', 'ss', '漢字', 'i', 'zzz', 'it']

function anExpression(random: Random): string {
  const term = () => {
    const sign = oneOf(random, ['', '', '', '-', '+'])
    if (happens(random, 0.3)) return `${sign}"${oneOf(random, words)} ${oneOf(random, words)}"`
    return `${sign}${oneOf(random, words)}${oneOf(random, ['', '', '*', '%'])}`
  }
  const group = () => times(random, 1, 4, term).join(' ')
  return happens(random, 0.3) ? `es: ${aSimpleQuery(random, 2)}` : times(random, 1, 3, group).join(' OR ')
}

/** In the language of the index engine, its signs in places where they mean something and where they do not. */
function aSimpleQuery(random: Random, depth: number): string {
  const operand = (): string => {
    const sign = oneOf(random, ['', '', '', '-', '--', '- '])
    if (depth > 0 && happens(random, 0.3))
      return `${sign}(${aSimpleQuery(random, depth - 1)}${oneOf(random, [')', ')', ')', ''])}`
    if (happens(random, 0.2)) return `${sign}"${oneOf(random, words)} ${oneOf(random, words)}"`
    return `${sign}${oneOf(random, words)}${oneOf(random, ['', '', '*', '~0'])}`
  }
  return times(random, 1, 3, operand).join(oneOf(random, [' ', ' | ', '|', ' + ', '+']))
}

function anAceTest(random: Random): string {
  const entry = `ecm:acl/*${oneOf(random, ['', '1', '1', '2'])}`
  const equality = oneOf(random, ['=', '<>'])
  return inOneWay(random, [
    [3, () => `${entry}/principal ${equality} ${quoted(oneOf(random, people))}`],
    [3, () => `${entry}/permission IN (${quoted(oneOf(random, permissions))}, 'None')`],
    [2, () => `${entry}/grant ${equality} ${random.between(0, 2)}`],
    [2, () => `${entry}/name ${equality} ${quoted(oneOf(random, ['local', 'other']))}`],
    [1, () => `${entry}/creator IS ${oneOf(random, ['', 'NOT '])}NULL`],
    [1, () => `${entry}/pos ${oneOf(random, ['=', '>', '<='])} ${random.between(0, 4)}`],
    [1, () => `${entry}/${oneOf(random, ['begin', 'end'])} ${oneOf(random, ['<', '>='])} ${aDate(random)}`],
    [1, () => `${entry}/status ${equality} ${random.between(0, 3)}`],
    [0.5, () => `${entry}/principal IS NULL`],
  ])
}

const families: readonly (readonly ValueType[])[] = [['string'], ['long', 'double'], ['date'], ['boolean']]

/** Two single values of one document, of types that compare. */
function aComparison(random: Random, subjects: Subjects): string {
  for (;;) {
    const [left, right] = [1, 2].map(() => aPlace(random, subjects.properties, { wildcards: true, lists: false }))
    const family = families.find((types) => left !== undefined && types.includes(left.type))
    if (left === undefined || right === undefined || !family?.includes(right.type)) continue
    const operators = left.type === 'boolean' ? ['=', '<>'] : ['=', '<>', '<', '<=', '>', '>=']
    return `${left.written} ${oneOf(random, operators)} ${right.written}`
  }
}

function aBlobKeyTest(random: Random): string {
  return oneOf(random, [
    "ecm:blobKeys = 'abc'",
    "ecm:blobKeys <> 'abc'",
    "ecm:blobKeys IN ('def', 'x')",
    "ecm:blobKeys LIKE 'a%'",
    'ecm:blobKeys IS NULL',
    'ecm:blobKeys IS NOT NULL',
  ])
}

function aHintedTest(random: Random): string {
  const field = oneOf(random, ['dc:title', 'dc:title.fulltext', 'dc:source', 'th:words', 'dc:title,dc:source^2'])
  const operator = oneOf(random, ['match', 'match_phrase', 'match_phrase_prefix', 'wildcard', 'regex', 'common'])
  const value = hintedValues.get(operator) ?? [`${oneOf(random, words)} ${oneOf(random, words)}`]
  return `/*+ES: INDEX(${field}) OPERATOR(${operator}) */ dc:title = ${quoted(oneOf(random, value))}`
}

const hintedValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['wildcard', ['f?o*', '*', 'a*b', '%', '']],
  ['regex', ['foo.*', 'a|b|Foo', '[abF]', '.*bar.*', '(foo/)?bar', '']],
])

function anId(random: Random, { documents }: Subjects): string {
  return happens(random, 0.1) ? 'nobody' : oneOf(random, documents).id
}

function aLiteral(random: Random, type: ValueType, written: string, subjects: Subjects): string {
  switch (type) {
    case 'long':
    case 'double':
      return String(
        happens(random, 0.7) ? oneOf(random, type === 'long' ? longs : doubles) : oneOf(random, [...doubles, ...longs]),
      ).replace('e+', 'e')
    case 'boolean':
      return oneOf(random, ['0', '1', 'TRUE', 'false'])
    case 'date':
      return aDate(random)
    default:
      return quoted(aTextFor(random, written, subjects))
  }
}

function aTextFor(random: Random, written: string, subjects: Subjects): string {
  if (/(?:uuid|Id)$/.test(written)) return anId(random, subjects)
  if (written === 'ecm:name') return oneOf(random, names)
  if (written === 'ecm:primaryType') return oneOf(random, subjects.types)
  if (written.startsWith('ecm:lock')) return oneOf(random, people)
  if (written === 'ecm:versionLabel') return oneOf(random, ['0.1', '1.0', '0.2', '2.0'])
  if (written === 'ecm:currentLifeCycleState') return oneOf(random, ['project', 'approved', 'undefined'])
  if (written.endsWith('/name')) return oneOf(random, ['memo.txt', 'Memo.TXT', 'été.pdf', 'a', 'foo'])
  return oneOf(random, texts)
}

function aDate(random: Random): string {
  const date = oneOf(random, dates)
  return oneOf(random, [
    `DATE '${date.slice(0, 10)}'`,
    `TIMESTAMP '${date}'`,
    `TIMESTAMP '${date.slice(0, 19).replace('T', ' ')}'`,
  ])
}

function aPatternTest(random: Random, written: string): string {
  const not = happens(random, 0.4) ? 'NOT ' : ''
  return `${written} ${not}${oneOf(random, ['LIKE', 'ILIKE'])} ${quoted(aPattern(random))}`
}

function aPattern(random: Random): string {
  const piece = () =>
    oneOf(random, ['%', '%', '_', 'a', 'A', 'foo', 'bar', '\\%', '\\_', '\\\\', 'é', 'É', '😀', 'ß', 'i', 'İ', '/', ' ', 'z'])
  return inOneWay(random, [
    [1, () => oneOf(random, texts)],
    [4, () => times(random, 0, 4, piece).join('')],
    [5, () => aPatternOfParts(random)],
  ])
}

/** One or two parts of texts, of one to six letters each, in any case, mostly with anything around them. */
function aPatternOfParts(random: Random): string {
  const wildcard = () => oneOf(random, ['%', '%', '%', '%', '_', ''])
  return times(random, 1, 3, () => wildcard() + aPart(random)).join('') + wildcard()
}

function aPart(random: Random): string {
  const points = Array.from(oneOf(random, texts))
  const start = random.between(0, points.length)
  const part = points.slice(start, start + random.between(1, 7)).join('')
  const cased = oneOf(random, [part, part, part.toUpperCase(), part.toLowerCase()])
  return happens(random, 0.9) ? cased.replace(/[%_\\]/g, '\\$&') : cased
}

/** A string literal. */
export function quoted(value: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  return `'${escaped.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`
}
