import { endOfText } from '../../nxql/document-indexing.ts'

// https://www.postgresql.org/docs/current/textsearch-limitations.html: so many places in a text, so many of one word, and so
// many bytes in all. Past them a word has no place of its own, and at last it is left out.
const lastPosition = 16_383
const maxPositions = 255
const maxBytes = 1_000_000

/** Words as a literal of type tsvector, with the places where they stand. */
export function wordVector(words: string): string {
  const positions = new Map<string, number[]>()
  let position = 0
  for (const word of words === '' ? [] : words.split(' ')) {
    position = Math.min(position + 1, lastPosition)
    if (word === endOfText) continue
    const known = positions.get(word)
    if (known === undefined) positions.set(word, [position])
    else if (known.length < maxPositions && known.at(-1) !== position) known.push(position)
  }
  const lexemes: string[] = []
  let bytes = 0
  for (const [word, places] of positions) {
    // Four for the count of the places and for alignment, two for each place.
    bytes += Buffer.byteLength(word) + 4 + 2 * places.length
    if (bytes > maxBytes) break
    lexemes.push(`'${word}':${places.join(',')}`)
  }
  return lexemes.join(' ')
}
