/** The items of a text with commas between them, without the blanks around each; `\,` is a comma inside an item. */
export function splitList(text: string): readonly string[] {
  if (text.trim() === '') return []
  return everyItem(text).map((item) => item.trim())
}

/** The same for values, whose blanks count. */
export function splitValues(text: string): readonly string[] {
  return text === '' ? [] : everyItem(text)
}

/** A backslash before anything but a comma or another backslash stands for itself, as in `C:\temp`. */
function everyItem(text: string): string[] {
  const items: string[] = []
  let item = ''
  for (const [part] of text.matchAll(/\\[\\,]|,|[^\\,]+|\\/g)) {
    if (part === ',') {
      items.push(item)
      item = ''
    } else item += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part
  }
  return [...items, item]
}
