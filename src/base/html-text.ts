import { unescapeEntities } from './html-entities.ts'

// How far into a text the start of an HTML page may be: comments and processing instructions come before it.
const nearStart = 8_192
const pageStart = /<(?:!doctype\s+)?html\b/i
/** What editors of rich text produce: a piece of a page, without the page. */
const fragmentStart =
  /^\s*<(?:p|div|span|h[1-6]|ul|ol|li|dl|table|blockquote|pre|section|article|body|br|hr|a|b|i|em|strong|u)\b[^<>]*>/i

/** Whether a text is a page of HTML, or a piece of one. */
export function isHtml(text: string): boolean {
  return text.includes('<') && (pageStart.test(text.slice(0, nearStart)) || fragmentStart.test(text.slice(0, nearStart)))
}

/** What a person reads of a text that may be HTML or hold its entities. */
export function readableText(text: string): string {
  return isHtml(text) ? htmlToText(text) : unescapeEntities(text)
}

/** Elements that do not end a word. */
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)
/** Elements whose content nobody reads. */
const unread: Readonly<Record<string, RegExp>> = { script: /<\/script/gi, style: /<\/style/gi, template: /<\/template/gi }

const tagName = /<\/?([a-z][a-z0-9]*)/iy

/** The text of a page: without tags, comments, scripts and styles. Looks at each character once, whatever the page. */
export function htmlToText(html: string): string {
  const pieces: string[] = []
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf('<', at)
    if (start < 0) {
      pieces.push(html.slice(at))
      break
    }
    pieces.push(html.slice(at, start))
    const { end, instead } = markupAt(html, start)
    pieces.push(instead)
    at = end
  }
  return unescapeEntities(pieces.join(''))
}

interface Markup {
  /** Where the text goes on. */
  readonly end: number
  readonly instead: string
}

function markupAt(html: string, start: number): Markup {
  if (html.startsWith('<!--', start)) return upTo(html, '-->', start + 4, ' ')
  if (html[start + 1] === '!' || html[start + 1] === '?') return upTo(html, '>', start, ' ')
  tagName.lastIndex = start
  const name = tagName.exec(html)?.[1]?.toLowerCase()
  if (name === undefined) return { end: start + 1, instead: '<' }
  const closing = html[start + 1] === '/' ? undefined : unread[name]
  if (closing === undefined) return upTo(html, '>', start, inline.has(name) ? '' : ' ')
  closing.lastIndex = start
  return upTo(html, '>', closing.exec(html)?.index ?? html.length, ' ')
}

/** What does not end reaches to the end of the page. */
function upTo(html: string, ending: string, from: number, instead: string): Markup {
  const at = html.indexOf(ending, from)
  return { end: at < 0 ? html.length : at + ending.length, instead }
}
