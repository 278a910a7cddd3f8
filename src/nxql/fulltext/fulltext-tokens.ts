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
export function tokenise(text: string): string[] {
  const words = (ascii.test(text) ? text.toLowerCase().match(asciiWord) : fold(text).match(word)) ?? []
  return words.map((one) => (one.length > maxWordLength ? cut(one) : one))
}

/** The words of a text as they are written. */
export function wordsOf(text: string): string[] {
  return text.match(word) ?? []
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
