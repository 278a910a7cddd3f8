import { defineMistake } from '../mistake.ts'

export const illegalCharacter = defineMistake(
  'illegalCharacter',
  ({ character, offset }: { character: string; offset: number }) =>
    `Lexical Error: Illegal character <${character}> at offset ${offset}`,
)

export function refuseCharacter(text: string, offset: number) {
  return illegalCharacter({ character: String.fromCodePoint(text.codePointAt(offset) ?? 0), offset })
}
