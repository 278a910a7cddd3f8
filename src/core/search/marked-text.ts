import type { FulltextTerm } from '../../nxql/fulltext/fulltext-expression.ts'
import { everyWord, tokenise } from '../../nxql/fulltext/fulltext-tokens.ts'

const fragmentLength = 100
const maxFragments = 5

interface Span {
  readonly start: number
  readonly end: number
}

interface Word extends Span {
  /** As the full-text index keeps it. */
  readonly token: string
}

// Looking at so much takes about 50 ms; a text of which more is needed to find a word is not helped by a fragment.
const markedCharacters = 131_072

/** The pieces of a text around the words that were looked for, each of these in `<em>`; as HTML. None when there are none. */
export function markedFragments(whole: string, terms: readonly FulltextTerm[]): readonly string[] {
  const text = whole.slice(0, markedCharacters)
  const hits = findHits(wordsOf(text), terms)
  return planFragments(text, hits).map((fragment) => markedHtml(text, fragment, hits))
}

function wordsOf(text: string): readonly Word[] {
  return [...everyWord(text)].flatMap(({ 0: word, index: start }) =>
    tokenise(word).map((token) => ({ start, end: start + word.length, token })),
  )
}

function findHits(words: readonly Word[], terms: readonly FulltextTerm[]): readonly Span[] {
  const hits = new Map<number, Span>()
  const termsAt = createTermIndex(terms)
  for (const [at, { token }] of words.entries()) {
    for (const term of termsAt(token)) {
      if (!isAt(words, at, term)) continue
      for (const hit of words.slice(at, at + term.words.length)) hits.set(hit.start, hit)
    }
  }
  return [...hits.values()].sort((left, right) => left.start - right.start)
}

/** The terms that may begin with a word: trying each term at each word of a long text would take seconds. */
function createTermIndex(terms: readonly FulltextTerm[]): (token: string) => readonly FulltextTerm[] {
  const isOpen = ({ words, isPrefix }: FulltextTerm) => isPrefix && words.length === 1
  const open = terms.filter(isOpen)
  const byFirstWord = Map.groupBy(
    terms.filter((term) => !isOpen(term)),
    ({ words }) => words[0],
  )
  return (token) => [...(byFirstWord.get(token) ?? []), ...open]
}

function isAt(words: readonly Word[], at: number, { words: wanted, isPrefix }: FulltextTerm): boolean {
  return wanted.every((word, index) => {
    const token = words[at + index]?.token
    if (token === undefined) return false
    return isPrefix && index === wanted.length - 1 ? token.startsWith(word) : token === word
  })
}

function planFragments(text: string, hits: readonly Span[]): readonly Span[] {
  if (hits.length > 0 && text.length <= fragmentLength) return [{ start: 0, end: text.length }]
  const fragments: Span[] = []
  for (const hit of hits) {
    const before = fragments.at(-1)?.end ?? 0
    if (hit.start < before) continue
    if (fragments.length === maxFragments) break
    fragments.push(fragmentAround(text, hit, before))
  }
  return fragments
}

/** Words stay whole: it starts behind a blank and ends before one, where there is one. */
function fragmentAround(text: string, hit: Span, earliest: number): Span {
  const margin = Math.max(0, fragmentLength - (hit.end - hit.start)) / 2
  const first = Math.max(earliest, Math.floor(hit.start - margin))
  const last = Math.min(text.length, Math.max(first + fragmentLength, hit.end))
  const lead = first === 0 ? 0 : text.slice(first, hit.start).search(/\s/) + 1
  const trail = last === text.length ? 0 : (/\S*$/.exec(text.slice(hit.end, last))?.[0].length ?? 0)
  return { start: lead > 0 ? first + lead : Math.min(first, hit.start), end: last - trail }
}

function markedHtml(text: string, { start, end }: Span, hits: readonly Span[]): string {
  let html = ''
  let at = start
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue
    html += `${escaped(text.slice(at, hit.start))}<em>${escaped(text.slice(hit.start, hit.end))}</em>`
    at = hit.end
  }
  return `${html}${escaped(text.slice(at, end))}`.trim()
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What stands in a document is text; clients put the fragments into their pages as they are. */
function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => entities[character] ?? character)
}
