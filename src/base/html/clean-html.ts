import type { Attributes, IOptions } from 'sanitize-html'

/** What cleaning works through; more would block the event loop for too long. */
export interface HtmlBounds {
  /** Characters, those of embedded images left out. */
  readonly maxLength: number
}

export type HtmlExcess =
  | { readonly kind: 'long'; readonly length: number }
  /** The library searches all open elements with each tag, so that 100,000 of them took it half a minute. */
  | { readonly kind: 'deep' }

export const deepestHtml = 1_000

/** Whether a text could be markup at all. */
export function mayBeMarkup(text: string): boolean {
  return text.includes('<')
}

/** Why a text is too much to be cleaned; undefined when it is not. */
export function findHtmlExcess(html: string, { maxLength }: HtmlBounds): HtmlExcess | undefined {
  const length = html.length <= maxLength ? html.length : html.replace(embeddedImage, '').length
  if (length > maxLength) return { kind: 'long', length }
  return isTooDeep(html) ? { kind: 'deep' } : undefined
}

const embeddedImage = /data:image\/[\w.+-]{1,40};base64,[\w+/=]+/gi
const tagPattern = /<(\/?)([a-z][^\s/>]*)/gi
const withoutEnd = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/**
 * Whether more elements are open at once than any real page nests. One that follows its like, as items and paragraphs do, ends
 * it.
 */
function isTooDeep(html: string): boolean {
  const open: string[] = []
  for (const [, slash, tag = ''] of html.matchAll(tagPattern)) {
    const name = tag.toLowerCase()
    if (withoutEnd.has(name)) continue
    if (slash === '/') {
      const start = open.lastIndexOf(name)
      if (start >= 0) open.length = start
    } else if (!(endsItsLike.has(name) && open.at(-1) === name)) open.push(name)
    if (open.length > deepestHtml) return true
  }
  return false
}

const endsItsLike = new Set(['dd', 'dt', 'li', 'option', 'p', 'td', 'th', 'tr'])

/**
 * The HTML with what people write in an editor and without all that a browser would run, send or lay over the page: scripts,
 * handlers, frames, forms, addresses of other kinds. What was cleaned once stays as it is.
 */
export async function cleanHtml(html: string): Promise<string> {
  // 50 ms, which only those wait for who store HTML.
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(html, options)
}

const sized = ['width', 'height', 'align', 'valign', 'bgcolor']

const options: IOptions = {
  allowedTags: [
    ...[
      'address',
      'article',
      'aside',
      'footer',
      'header',
      'hgroup',
      'main',
      'nav',
      'section',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
    ],
    ...[
      'blockquote',
      'center',
      'dd',
      'details',
      'div',
      'dl',
      'dt',
      'figcaption',
      'figure',
      'hr',
      'li',
      'ol',
      'p',
      'pre',
      'summary',
    ],
    ...[
      'ul',
      'a',
      'abbr',
      'acronym',
      'b',
      'bdi',
      'bdo',
      'big',
      'br',
      'cite',
      'code',
      'data',
      'del',
      'dfn',
      'em',
      'font',
      'i',
      'img',
    ],
    ...[
      'ins',
      'kbd',
      'mark',
      'q',
      'rb',
      'rp',
      'rt',
      'rtc',
      'ruby',
      's',
      'samp',
      'small',
      'span',
      'strike',
      'strong',
      'sub',
      'sup',
    ],
    ...['time', 'tt', 'u', 'var', 'wbr', 'caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
  ],
  allowedAttributes: {
    '*': ['class', 'dir', 'lang', 'style', 'title', 'align'],
    a: ['href', 'target', 'rel'],
    blockquote: ['cite'],
    col: ['span', ...sized],
    colgroup: ['span', ...sized],
    del: ['cite', 'datetime'],
    font: ['color', 'face', 'size'],
    img: ['src', 'alt', ...sized],
    ins: ['cite', 'datetime'],
    li: ['value'],
    ol: ['start', 'type', 'reversed'],
    q: ['cite'],
    table: ['border', 'cellpadding', 'cellspacing', 'summary', ...sized],
    td: ['colspan', 'rowspan', 'headers', ...sized],
    th: ['colspan', 'rowspan', 'headers', 'scope', ...sized],
    time: ['datetime'],
    tr: sized,
  },
  // The content of these is not shown.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'xmp', 'template'],
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'ftp'],
  // An image never runs anything, whatever its bytes are.
  allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
  // Not by the library, which took 5 s for a hostile megabyte.
  parseStyleAttributes: false,
  transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: withHarmlessStyle(attribs) }) },
}

function withHarmlessStyle({ style, ...others }: Attributes): Attributes {
  const safeStyle = style === undefined ? '' : harmlessStyle(style)
  return safeStyle === '' ? others : { ...others, style: safeStyle }
}

/** What text looks like and how wide things are; nothing that takes a thing to another place, or asks another server for it. */
const harmlessProperty =
  /^(?:(?:background-)?color|font(?:-(?:family|size|style|variant|weight))?|line-height|letter-spacing|word-spacing|white-space|text-(?:align|decoration|indent|transform)|vertical-align|direction|list-style-type|(?:max-|min-)?(?:width|height)|(?:margin|padding)(?:-(?:top|right|bottom|left))?|border(?:-[a-z]+)*|float|clear|display)$/i
const harmlessValue = /^(?:[\w\s#%.,'"!-]|\b(?:rgb|rgba|hsl|hsla)\([\d\s.,%/]*\))+$/i

function harmlessStyle(style: string): string {
  const isHarmless = (declaration: string) => {
    const colon = declaration.indexOf(':')
    const value = declaration.slice(colon + 1).trim()
    return (
      colon > 0 && harmlessProperty.test(declaration.slice(0, colon).trim()) && value.length <= 200 && harmlessValue.test(value)
    )
  }
  return style
    .split(';')
    .filter(isHarmless)
    .map((declaration) => declaration.trim())
    .join('; ')
}
