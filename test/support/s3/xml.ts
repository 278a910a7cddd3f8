export type XmlValue = string | number | boolean | XmlElements | readonly XmlElements[]

export interface XmlElements {
  readonly [name: string]: XmlValue | undefined
}

/** A list of elements is the element repeated; what is undefined is left out. */
export function xml(root: string, elements: XmlElements): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, elements)}`
}

function element(name: string, value: XmlValue | undefined): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((item) => element(name, item)).join('')
  const inside =
    typeof value === 'object'
      ? Object.entries(value)
          .map(([inner, of]) => element(inner, of))
          .join('')
      : escaped(String(value))
  return `<${name}>${inside}</${name}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** The parts that a client names when it completes an upload. */
export function parseParts(text: string): readonly { readonly number: number; readonly etag: string }[] {
  return [...text.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>(.*?)</s.exec(part)?.[1] ?? '').replaceAll(/&quot;|"/g, ''),
  }))
}
