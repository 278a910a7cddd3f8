/** Marks above and below letters, and vowel points. The marks of other scripts are part of their letters and stay. */
const diacritics =
  /[\p{M}&&[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]]/gv

/** Letters that no decomposition takes apart, as people type them who do not have them. */
export const foldings: ReadonlyMap<string, string> = new Map([
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ł', 'l'],
  ['ŧ', 't'],
  ['þ', 'th'],
  ['ς', 'σ'],
])
const folded = new RegExp(`[${[...foldings.keys()].join('')}]`, 'gu')

const word = /[\p{L}\p{M}\p{N}]+/gu

// PostgreSQL refuses a word of more than 2046 bytes; four of them are the most that a code point has.
const maxWordLength = 255

// Most texts are nothing but ASCII, and then there is little to fold: a quarter of the time (measured).
const ascii = /^\p{ASCII}*$/u
const asciiWord = /[a-z0-9]+/g

/** The words of a text as the index keeps them and as a query asks for them. */
export function tokenise(text: string): readonly string[] {
  const isAscii = ascii.test(text)
  const bare = isAscii ? text.toLowerCase() : fold(text)
  const words = bare.match(isAscii ? asciiWord : word) ?? []
  return bare.length > maxWordLength ? words.map((one) => (one.length > maxWordLength ? cut(one) : one)) : words
}

/** The words of a text as they are written. */
export function wordsOf(text: string): string[] {
  return text.match(word) ?? []
}

/** The same, each with the place where it stands. */
export function everyWord(text: string): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(word)
}

function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(diacritics, '').toLowerCase()
  // What is left of the decomposition is put together again: a syllable of Korean is one letter, not three.
  return bare.replace(folded, (letter) => foldings.get(letter) ?? letter).normalize('NFC')
}

function cut(word: string): string {
  return Array.from(word).slice(0, maxWordLength).join('')
}

/** Words too frequent to tell documents apart, in English and French. They are indexed all the same. */
export const stopWords: ReadonlySet<string> = new Set(
  `a an are and as at be by for from how i in is it of on or that the this to was what when where who will with
   car donc est il ils je la le les mais ni nous or ou pour tu un une vous www com net org`.split(/\s+/),
)

/**
 * How well a document matches words, by the document alone. What is usual counts how rare a word is among all documents and how
 * long they are: from that any user could read off, letter by letter, which words stand in documents that are hidden. This is the
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

/**
 * How many words the texts have, a list for each, and how often they have each, as text: `5 report:3 of third `. It is as long as the
 * different words of the texts, and stored with them.
 */
export function wordCounts(texts: readonly (readonly string[])[]): string {
  const tally: Tally = { words: [], counts: [], places: undefined }
  let length = 0
  for (const words of texts) {
    length += words.length
    for (const word of words) count(word, tally)
  }
  let text = `${length} `
  for (const [place, word] of tally.words.entries())
    text += tally.counts[place] === 1 ? `${word} ` : `${word}:${tally.counts[place]} `
  return text
}

/** Different words in the order in which they came, and how often each did. */
interface Tally {
  readonly words: string[]
  readonly counts: number[]
  /** Where the words are, once there are too many to look through. */
  places: Map<string, number> | undefined
}

// A map has each new text hashed and made the only one of its kind before it looks: that is worth it for long texts alone.
const fewWords = 48

function count(word: string, tally: Tally): void {
  const { words, counts } = tally
  if (words.length > fewWords) tally.places ??= new Map(words.map((known, place) => [known, place]))
  const place = tally.places === undefined ? words.indexOf(word) : (tally.places.get(word) ?? -1)
  if (place >= 0) {
    counts[place] = (counts[place] as number) + 1
    return
  }
  tally.places?.set(word, words.length)
  words.push(word)
  counts.push(1)
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
  return isPrefix ? frequencyOfPrefix(counts, ` ${word}`) : frequencyOfWord(counts, ` ${word}`)
}

/** Each word stands there once. It is looked up for every match, so nothing behind it is looked at. */
function frequencyOfWord(counts: string, wanted: string): number {
  for (let at = counts.indexOf(wanted); at >= 0; at = counts.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    const behind = counts[end]
    if (behind === ' ') return 1
    if (behind === ':') return Number.parseInt(counts.slice(end + 1, counts.indexOf(' ', end)), 10)
  }
  return 0
}

function frequencyOfPrefix(counts: string, wanted: string): number {
  let frequency = 0
  for (let at = counts.indexOf(wanted); at >= 0; at = counts.indexOf(wanted, at + 1)) {
    const end = counts.indexOf(' ', at + 1)
    const colon = counts.slice(at, end).indexOf(':')
    frequency += colon < 0 ? 1 : Number(counts.slice(at + colon + 1, end))
  }
  return frequency
}
