/** Those that have all the words, each at the beginning of a word; where the text is first named comes first. */
export function matching<Item extends { readonly label: string }>(items: readonly Item[], text: string): readonly Item[] {
  const wanted = wordsOf(text)
  if (wanted.length === 0) return items
  const ranked = items.flatMap((item) => {
    const words = wordsOf(item.label)
    const places = wanted.map((word) => words.findIndex((one) => one.startsWith(word)))
    return places.includes(-1) ? [] : [{ item, place: Math.min(...places) }]
  })
  return ranked.sort((one, other) => one.place - other.place).map(({ item }) => item)
}

/** Without case and accents. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
}
