import { placeBindings } from '../../../src/nxql/binding-placement.ts'
import { compileQuery } from '../../../src/nxql/compile-query.ts'
import { failedQuery } from '../../../src/nxql/failed-query.ts'
import { toNormalForm } from '../../../src/nxql/normal-form.ts'
import { queryModel } from './query-model.ts'

/** Queries that use every corner of the language; what is tried is made of them. */
export const sampleQueries: readonly string[] = [
  'SELECT * FROM Document',
  "SELECT * FROM Note, File WHERE dc:title = 'a' AND NOT (dc:source <> 'b' OR dc:format IS NOT NULL)",
  'SELECT DISTINCT dc:title AS t, ecm:uuid FROM TYPE File AS f WHERE dc:subjects/* IN (\'a\', "b") ORDER BY t DESC, ecm:uuid LIMIT 10 OFFSET 5',
  "SELECT COUNT(dc:title), MAX(dc:created) AS latest FROM Document WHERE dc:created BETWEEN DATE '2007-01-01' AND TIMESTAMP '2008-01-01 10:30:00.5+02:00'",
  "SELECT p:people/*1/first FROM Specimen WHERE p:people/*1/last NOT LIKE '%\\\\_x' AND p:people/item[*1]/phones/0 ILIKE 'A_%'",
  "SELECT * FROM Document WHERE ecm:path STARTSWITH '/a/' AND ecm:ancestorId <> 'x' AND ecm:mixinType NOT IN ('Folderish') AND ecm:isVersion = 0",
  "SELECT * FROM Document WHERE DATE(dc:created) IN (DATE '2007-03-01', DATE '2007') OR dc:modified > NOW('-P1Y2M3DT4H5M6.7S') ORDER BY ecm:path",
  'SELECT ecm:fulltextScore FROM File WHERE ecm:fulltext = \'a -b "c d" OR e*\' ORDER BY ecm:fulltextScore DESC',
  "SELECT * FROM File WHERE /*+ES: INDEX(dc:title.fulltext^2,dc:source) ANALYZER(x) OPERATOR(match_phrase_prefix) */ dc:title LIKE 'a b'",
  "SELECT ecm:tag, ecm:acl/*1/principal FROM Document WHERE ecm:tag/* = 'a' AND ecm:acl/*1/status = 1 AND my:double >= -1.5e3 AND my:long < 5.",
  "SELECT * FROM Document WHERE ecm:fulltext_title = 'x' AND ecm:fulltext.dc:source LIKE 'y' AND my:boolean = TRUE AND 1 <= 2 AND dc:created < dc:modified",
]

const fragments: readonly string[] = [
  ...new Set(sampleQueries.flatMap((query) => query.match(/\w+|\s+|[^\w\s]+/g) ?? [])),
  ...[
    'GROUP BY',
    'HAVING',
    '((((',
    '))))',
    'NOT NOT',
    '/*',
    '/*+ES:',
    '*/',
    "'",
    '"',
    '\\',
    '\n',
    '\0',
    '?',
    ':x',
    '😀',
    '\ud800',
  ],
  ...['1e400', '99999999999999999999', '007', '-', '.', 'a/b/', 'x[', 'x/y[*', 'P1W', 'FALSE', ';', '--', '%', 'ÿ', '\u2028'],
]

type Random = (below: number) => number

/** Numbers that one seed decides. */
function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const pick = (random: Random, from: readonly string[]): string => from[random(from.length)] ?? ''

const changes: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => spliced(text, random(text.length + 1), 0, pick(random, fragments)),
  (text, random) => spliced(text, random(text.length + 1), 1 + random(5), ''),
  (text, random) => spliced(text, random(text.length + 1), 1, String.fromCharCode(random(0x180))),
  (text, random) => text.slice(0, random(text.length + 1)),
  (text, random) => spliced(text, random(text.length + 1), 0, text.slice(random(text.length + 1))),
  (text, random) => spliced(text, random(text.length + 1), 0, pick(random, fragments).repeat(1 + random(300))),
  (text, random) => text.slice(0, random(text.length + 1)) + pick(random, sampleQueries).slice(random(80)),
]

function spliced(text: string, at: number, removed: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at + removed)
}

/** A good query, a query with some changes, or nothing but fragments. */
function aText(random: Random): string {
  if (random(5) === 0) return Array.from({ length: random(30) }, () => pick(random, fragments)).join(pick(random, ['', ' ']))
  let text = pick(random, sampleQueries)
  for (let left = random(5); left > 0; left--) text = (changes[random(changes.length)] ?? changes[0])?.(text, random) ?? text
  return text
}

export interface FuzzTally {
  readonly understood: number
  readonly refused: number
  readonly slowestMilliseconds: number
}

/**
 * Gives the compiler texts of every sort. Each is a query or is refused at a place inside it, in a time that its length allows.
 * @throws with the text that was not
 */
export function fuzzQueries(runs: number, seed: number): FuzzTally {
  const random = createRandom(seed)
  let understood = 0
  let slowestMilliseconds = 0
  for (let run = 0; run < runs; run++) {
    const text = aText(random)
    const started = performance.now()
    if (isUnderstood(text)) understood++
    slowestMilliseconds = Math.max(slowestMilliseconds, performance.now() - started)
  }
  return { understood, refused: runs - understood, slowestMilliseconds }
}

function isUnderstood(text: string): boolean {
  try {
    placeBindings(toNormalForm(compileQuery(queryModel, text).where))
    return true
  } catch (error) {
    const isRefusal = failedQuery.is(error) && error.details.offset >= 0 && error.details.offset <= text.length
    if (!isRefusal) throw new Error(`Neither understood nor refused: ${JSON.stringify(text)}`, { cause: error })
    return false
  }
}
