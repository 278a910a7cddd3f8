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
