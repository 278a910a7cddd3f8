/** A piece of a text, and whether it is one of the words that were looked for. */
export interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }

/** What the server marks with `<em>`. Everything else in it is text, whatever it looks like. */
export function piecesOf(marked: string): readonly Piece[] {
  return marked
    .split(/(<em>.*?<\/em>)/s)
    .filter((part) => part !== '')
    .map((part) => {
      const isMatch = part.startsWith('<em>')
      const text = isMatch ? part.slice(4, -5) : part
      return { text: text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole), isMatch }
    })
}
