/** Letters that have a mark, by the name of the mark: `&eacute;`, `&Ccaron;`. Others of these names are signs. */
const marks: Readonly<Record<string, string>> = {
  acute: '\u0301',
  breve: '\u0306',
  caron: '\u030c',
  cedil: '\u0327',
  circ: '\u0302',
  dblac: '\u030b',
  grave: '\u0300',
  macr: '\u0304',
  ogon: '\u0328',
  ring: '\u030a',
  tilde: '\u0303',
  uml: '\u0308',
}
const marked = new RegExp(`^([A-Za-z])(${Object.keys(marks).join('|')})$`)

const others: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    shy: '\u00ad',
    ensp: '\u2002',
    emsp: '\u2003',
    thinsp: '\u2009',
    zwnj: '\u200c',
    zwj: '\u200d',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    lsaquo: '‹',
    rsaquo: '›',
    laquo: '«',
    raquo: '»',
    hellip: '…',
    bull: '•',
    middot: '·',
    copy: '©',
    reg: '®',
    trade: '™',
    deg: '°',
    para: '¶',
    sect: '§',
    euro: '€',
    pound: '£',
    yen: '¥',
    cent: '¢',
    sup1: '¹',
    sup2: '²',
    sup3: '³',
    ordf: 'ª',
    ordm: 'º',
    frac14: '¼',
    frac12: '½',
    frac34: '¾',
    iexcl: '¡',
    iquest: '¿',
    times: '×',
    divide: '÷',
    plusmn: '±',
    micro: 'µ',
    AElig: 'Æ',
    aelig: 'æ',
    OElig: 'Œ',
    oelig: 'œ',
    szlig: 'ß',
    ETH: 'Ð',
    eth: 'ð',
    THORN: 'Þ',
    thorn: 'þ',
    Oslash: 'Ø',
    oslash: 'ø',
    Lstrok: 'Ł',
    lstrok: 'ł',
    Dstrok: 'Đ',
    dstrok: 'đ',
    Hstrok: 'Ħ',
    hstrok: 'ħ',
    Tstrok: 'Ŧ',
    tstrok: 'ŧ',
    imath: 'ı',
    Idot: 'İ',
    fnof: 'ƒ',
  }),
)

const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega'
const greekLetters: ReadonlyMap<string, string> = new Map(
  greek.split(' ').flatMap((name, index) => {
    const letter = String.fromCodePoint(0x3b1 + index)
    return [
      [name, letter],
      [`${name[0]?.toUpperCase()}${name.slice(1)}`, letter.toUpperCase()],
    ] as const
  }),
)

const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,15}));/g

/** The text with `&eacute;`, `&#233;` and the like as the characters they stand for. What is none stays as it is written. */
export function unescapeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (written, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return findCharacter(name) ?? written
    const codePoint = decimal !== undefined ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
    return isCharacter(codePoint) ? String.fromCodePoint(codePoint) : written
  })
}

function findCharacter(name: string): string | undefined {
  return others.get(name) ?? greekLetters.get(name) ?? findMarked(name)
}

function findMarked(name: string): string | undefined {
  const [, letter = '', mark = ''] = marked.exec(name) ?? []
  const composed = (letter + (marks[mark] ?? '')).normalize('NFC')
  return composed.length === 1 && mark !== '' ? composed : undefined
}

function isCharacter(codePoint: number): boolean {
  return codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)
}

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
/** Elements whose content is not shown. */
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
