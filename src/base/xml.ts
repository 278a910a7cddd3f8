/** An element: with others inside, with a text, or with nothing. */
export interface XmlElement {
  readonly name: string
  readonly attributes?: { readonly [name: string]: string }
  readonly children?: readonly XmlElement[]
  readonly text?: string
  /** A text that stands in a section of its own, to the letter. */
  readonly cdata?: string
}

export function textElement(name: string, text: string): XmlElement {
  return { name, text }
}

/** The element as a whole document, indented. */
export function formatXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${formatElement(root, '')}`
}

function formatElement({ name, attributes = {}, children = [], text, cdata }: XmlElement, indent: string): string {
  const said = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `${indent}<${name}${said.join('')}`
  const content = cdata === undefined ? text && escapeXml(text) : section(cdata)
  if (content !== undefined) return `${start}>${content}</${name}>\n`
  if (children.length === 0) return `${start}/>\n`
  return `${start}>\n${children.map((child) => formatElement(child, `${indent}  `)).join('')}${indent}</${name}>\n`
}

/** Nothing inside can end it: `]]>` is split between two. */
function section(text: string): string {
  return `<![CDATA[${allowed(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text between elements, in which line ends and tabs stay what they are. */
export function escapeXmlText(text: string): string {
  return allowed(text).replace(/[&<>]/g, (found) => entities[found] ?? found)
}

/** Line ends and tabs of attributes would be read back as spaces. */
export function escapeXml(text: string): string {
  return allowed(text).replace(/[&<>"\t\n\r]/g, (found) => entities[found] ?? `&#${found.charCodeAt(0)};`)
}

// XML 1.0, 2.2: no other control characters, no halves of pairs, and not the last two of the first plane.
const notAllowed = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

function allowed(text: string): string {
  return text.replace(notAllowed, '\uFFFD')
}
