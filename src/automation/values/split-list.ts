import { tooManyValues, usualJsonBounds } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'

export const listTextTooLong = defineProblem(
  'listTextTooLong',
  'tooLarge',
  (of: { maxCharacters: number }) =>
    `A list that is written as text has more than the ${of.maxCharacters} characters allowed. Send it as a JSON list.`,
)

// Each character may be a step; a JSON list is counted before it is taken apart.
const maxCharacters = 1_000_000

/**
 * The items of a text with commas between them, without the blanks around each; `\,` is a comma inside an item.
 * @throws listTextTooLong, tooManyValues
 */
export function splitList(text: string): readonly string[] {
  if (text.trim() === '') return []
  return splitItems(text).map((item) => item.trim())
}

/** The same for values, whose blanks count. @throws listTextTooLong, tooManyValues */
export function splitValues(text: string): readonly string[] {
  return text === '' ? [] : splitItems(text)
}

/** A backslash before anything but a comma or another backslash stands for itself, as in `C:\temp`. */
function splitItems(text: string): string[] {
  if (text.length > maxCharacters) throw listTextTooLong({ maxCharacters })
  const { maxValues } = usualJsonBounds
  const items: string[] = []
  let item = ''
  for (const [part] of text.matchAll(/\\[\\,]|,|[^\\,]+|\\/g)) {
    if (part === ',') {
      if (items.length >= maxValues) throw tooManyValues({ maxValues })
      items.push(item)
      item = ''
    } else item += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part
  }
  return [...items, item]
}
