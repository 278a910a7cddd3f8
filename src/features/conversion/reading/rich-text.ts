import { ConversionRefusal } from '../../../core/conversion/converter.ts'

/** Groups that hold no text of the document. */
const apart = new Set(
  'fonttbl colortbl stylesheet info pict object themedata colorschememapping latentstyles datastore listtable listoverridetable rsidtbl generator xmlnstbl filetbl revtbl fldinst mmathPr wgrffmtfilter'.split(
    ' ',
  ),
)

const characters: { readonly [word: string]: string } = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  cell: '\t',
  tab: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
}

const deepest = 1_000

interface Group {
  readonly isApart: boolean
  /** How many characters follow one that is given by its number, for programs that do not know it. */
  readonly fallback: number
}

const token = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/g

/** The text of a file in the rich text format. @throws ConversionRefusal when it is none */
export function richTextToText(rtf: string): string {
  if (!/^\s*\{\\rtf/.test(rtf)) throw new ConversionRefusal('It is damaged, or not what its type says.')
  const decoder = decoderOf(/\\ansicpg(\d+)/.exec(rtf.slice(0, 2_000))?.[1])
  const open: Group[] = []
  let group: Group = { isApart: false, fallback: 1 }
  let text = ''
  let bytes: number[] = []
  let skip = 0
  const flush = () => {
    if (bytes.length > 0) text += decoder.decode(Uint8Array.from(bytes))
    bytes = []
  }
  const add = (part: string) => {
    flush()
    if (!group.isApart) text += part
  }
  for (const [, word, number, hex, sign, brace, plain] of rtf.matchAll(token)) {
    if (brace === '{') {
      if (open.length >= deepest) throw new ConversionRefusal('Its groups are nested too deeply.', { isTooLarge: true })
      flush()
      open.push(group)
    } else if (brace === '}') {
      flush()
      group = open.pop() ?? group
    } else if (hex !== undefined) {
      if (skip > 0) skip -= 1
      else if (!group.isApart) bytes.push(Number.parseInt(hex, 16))
    } else if (plain !== undefined) {
      const shown = plain.slice(skip)
      skip = Math.max(0, skip - plain.length)
      add(shown)
    } else if (sign !== undefined) {
      if (sign === '*') group = { ...group, isApart: true }
      else add(sign === '~' ? '\u00a0' : sign === '_' ? '-' : '\\{}'.includes(sign) ? sign : '')
    } else if (word === 'u') {
      const code = Number(number ?? 0)
      add(String.fromCharCode(code < 0 ? code + 0x1_00_00 : code))
      skip = group.fallback
    } else if (word === 'uc') group = { ...group, fallback: Math.min(Math.max(Number(number ?? 1), 0), 10) }
    else if (word !== undefined) {
      if (apart.has(word)) group = { ...group, isApart: true }
      add(characters[word] ?? '')
    }
  }
  flush()
  return text
}

function decoderOf(codePage: string | undefined): TextDecoder {
  try {
    return new TextDecoder(codePage === '65001' ? 'utf-8' : `windows-${codePage ?? '1252'}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
