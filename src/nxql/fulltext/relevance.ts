import type { FulltextQuery } from './fulltext-expression.ts'

/**
 * How well a document matches words, by the document alone. What is usual counts how rare a word is among all documents and how
 * long they are: from that anybody could read off, letter by letter, which words stand in documents that are hidden. This is the
 * same curve (BM25) with every word as rare as any other and a fixed usual length. In whole numbers, so that both engines give the
 * very same result and no two documents change places.
 */
export const relevance = {
  /** A word that stands `n` times among `length` words counts scale × n / (each × n + none + word × length), rounded down. */
  scale: 4_400_000,
  each: 2_000,
  none: 600,
  word: 9,
  /** The score is the sum of the words, in units of which so many are 1. */
  unit: 1_000,
} as const

/** A word that makes a match better. */
export interface SoughtWord {
  readonly word: string
  readonly isPrefix: boolean
}

// A page of results is ordered well enough by the first of them, and each costs time in every document that matches.
const mostWords = 20

/** The required words of all alternatives, each once. */
export function soughtWords({ alternatives }: FulltextQuery): readonly SoughtWord[] {
  const found = new Map<string, SoughtWord>()
  for (const { required } of alternatives) {
    for (const { words, isPrefix } of required) {
      for (const [index, word] of words.entries()) {
        const isOpen = isPrefix && index === words.length - 1
        found.set(isOpen ? `${word}*` : word, { word, isPrefix: isOpen })
        if (found.size === mostWords) return [...found.values()]
      }
    }
  }
  return [...found.values()]
}

/**
 * How many words a text has and how often it has each, as text: `5 report:3 of third `. It is as long as the different words of the
 * text, and stored with them.
 */
export function wordCounts(words: string, endOfText: string): string {
  const counts = new Map<string, number>()
  let length = 0
  for (const word of words === '' ? [] : words.split(' ')) {
    if (word === endOfText) continue
    length += 1
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  let text = `${length} `
  for (const [word, count] of counts) text += count === 1 ? `${word} ` : `${word}:${count} `
  return text
}

/** The score of a text of such counts. */
export function relevanceOf(counts: string, words: readonly SoughtWord[]): number {
  const length = Number.parseInt(counts, 10)
  let sum = 0
  for (const sought of words) {
    const frequency = frequencyIn(counts, sought)
    const { scale, each, none, word } = relevance
    sum += Math.floor((scale * frequency) / (each * frequency + none + word * length))
  }
  return sum / relevance.unit
}

function frequencyIn(counts: string, { word, isPrefix }: SoughtWord): number {
  const wanted = ` ${word}`
  let frequency = 0
  for (let at = counts.indexOf(wanted); at >= 0; at = counts.indexOf(wanted, at + 1)) {
    const end = counts.indexOf(' ', at + 1)
    const colon = counts.indexOf(':', at + 1)
    const endOfWord = colon >= 0 && colon < end ? colon : end
    if (!isPrefix && endOfWord !== at + wanted.length) continue
    frequency += endOfWord === end ? 1 : Number(counts.slice(colon + 1, end))
    if (!isPrefix) break
  }
  return frequency
}
