import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { relevanceOf, type SoughtWord, tokenise } from '../../../nxql/fulltext/fulltext-tokens.ts'
import { lowerCase } from '../../../nxql/letter-case.ts'
import { type LikePiece, matchesLike } from '../../../nxql/like-pattern.ts'

/**
 * Gives a connection what searches need and SQLite does not have: its own `lower` knows ASCII only, and its `sum` fails beyond 64
 * bits. A call costs about half a microsecond.
 */
export function defineSearchFunctions(database: DatabaseSync, checkTime: () => void): void {
  const expressionOf = memoisedLast((source: string) => new RegExp(source, 'u'))
  const patternOf = memoisedLast((json: string) => JSON.parse(json) as readonly LikePiece[])

  const define = (name: string, implement: (text: string, argument: string) => string | boolean | null) => {
    database.function(name, { deterministic: true, varargs: true }, (text, argument) =>
      typeof text === 'string' ? stored(implement(text, String(argument))) : null,
    )
  }
  define('lower_case', lowerCase)
  // A text may be so long that all the time is over before it is done: a search for words much like others took 0.3 s a megabyte.
  const inParts = (text: string) => partsOf(text, checkTime)
  define('words_of', (text) => ` ${[...inParts(text)].flatMap(tokenise).join(' ')} `)
  define('matches_expression', (text, source) => inParts(text).some((part) => expressionOf(source).test(` ${part} `)))
  define('matches_like', (text, json) => matchesLike(patternOf(json), text))
  define('path_segment', (path, depth) => path.split('/')[Number(depth)] || null)
  const wordsOf = memoisedLast((json: string) => JSON.parse(json) as readonly SoughtWord[])
  // The counts of a document, the line of them that is meant, and the words that are sought.
  database.function('relevance', { deterministic: true }, (counts, line, words) =>
    relevanceOf(lineOf(String(counts), Number(line)), wordsOf(String(words))),
  )
  database.aggregate('exact_sum', {
    start: null as bigint | null,
    useBigIntArguments: true,
    step: (sum: bigint | null, value: SQLOutputValue) => (typeof value === 'bigint' ? (sum ?? 0n) + value : sum),
    result: (sum) => (sum === null ? null : String(sum)),
  })
}

const longestPart = 65_536

/** A text in parts that end where a word does, with a look at the clock before each. */
function* partsOf(text: string, checkTime: () => void): Generator<string> {
  for (let start = 0; start < text.length; ) {
    checkTime()
    const blank = text.length - start > longestPart ? text.indexOf(' ', start + longestPart) : -1
    const end = blank < 0 ? text.length : blank
    yield text.slice(start, end)
    start = end + 1
  }
}

function stored(result: string | boolean | null): string | number | null {
  return typeof result === 'boolean' ? Number(result) : result
}

function lineOf(text: string, line: number): string {
  // Mostly the first, of a text that may be long.
  return line === 0 ? text.slice(0, text.indexOf('\n')) : (text.split('\n')[line] ?? '')
}

/** The rows of a statement bring the same argument again and again. */
function memoisedLast<Result>(make: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: make(text) }
    return last.result
  }
}
