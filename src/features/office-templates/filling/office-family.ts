import { escapeXmlText } from '../../../base/xml.ts'

/** What elements of a kind of office files mean to a template. */
export interface OfficeFamily {
  /** The parts of the file that are filled in; the first one has to be there. */
  readonly parts: readonly RegExp[]
  readonly paragraphs: ReadonlySet<string>
  /** Text stands in these alone. */
  readonly texts: ReadonlySet<string>
  /** Elements that stand for a character. */
  readonly characters: { readonly [name: string]: string }
  /** Can be ended and begun anew in the middle, so that a part of them is repeated or left out. */
  readonly divisible: ReadonlySet<string>
  /** How a divided element looks: it stands in both halves. */
  readonly looks: ReadonlySet<string>
  /** Of these, what ends with the paragraph: it stays with the second half. */
  readonly ending: string
  /** Nothing that anybody would miss without what stands around it. */
  readonly silent: ReadonlySet<string>
  readonly rows: ReadonlySet<string>
  readonly cells: ReadonlySet<string>
  /** An automatic loop repeats the row around it, or else the nearest of these. */
  readonly repeated: ReadonlySet<string>
  /** Office programs want a paragraph at the end of these. */
  readonly endsWithParagraph: ReadonlySet<string>
  /** Attributes that may be there once in a part. */
  readonly ids: ReadonlySet<string>
  /** A value between the tags of a text. */
  written(text: string): string
}

const names = (...all: readonly string[]): ReadonlySet<string> => new Set(all)

export const wordFamily: OfficeFamily = {
  parts: [/^word\/document\d*\.xml$/, /^word\/(?:header|footer)\d*\.xml$/, /^word\/(?:footnotes|endnotes)\.xml$/],
  paragraphs: names('w:p'),
  texts: names('w:t'),
  characters: { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n', 'w:noBreakHyphen': '-' },
  divisible: names('w:p', 'w:r', 'w:t', 'w:hyperlink', 'w:ins', 'w:smartTag'),
  looks: names('w:rPr', 'w:pPr', 'w:smartTagPr'),
  ending: 'w:sectPr',
  silent: names(
    ...['w:proofErr', 'w:bookmarkStart', 'w:bookmarkEnd', 'w:lastRenderedPageBreak', 'w:permStart', 'w:permEnd'],
    ...['w:trPr', 'w:tblPrEx', 'w:tcPr'],
  ),
  rows: names('w:tr'),
  cells: names('w:tc'),
  repeated: names('w:p'),
  endsWithParagraph: names('w:tc', 'w:txbxContent', 'w:hdr', 'w:ftr', 'w:footnote', 'w:endnote'),
  ids: names('w14:paraId', 'w14:textId'),
  written: (text) =>
    lines(text)
      .map((line) => line.split('\t').map(escapeXmlText).join('</w:t><w:tab/><w:t xml:space="preserve">'))
      .join('</w:t><w:br/><w:t xml:space="preserve">'),
}

export const openDocumentFamily: OfficeFamily = {
  parts: [/^content\.xml$/, /^styles\.xml$/],
  paragraphs: names('text:p', 'text:h'),
  texts: names('text:p', 'text:h', 'text:span', 'text:a', 'text:meta'),
  characters: { 'text:tab': '\t', 'text:line-break': '\n', 'text:s': ' ' },
  divisible: names('text:p', 'text:h', 'text:span', 'text:a', 'text:list-item', 'text:list'),
  looks: names(),
  ending: '',
  silent: names('text:soft-page-break', 'text:bookmark', 'text:bookmark-start', 'text:bookmark-end'),
  rows: names('table:table-row'),
  cells: names('table:table-cell'),
  repeated: names('text:list-item', 'text:p', 'text:h'),
  endsWithParagraph: names(),
  ids: names('xml:id'),
  written: (text) =>
    lines(text)
      .map((line) => line.split('\t').map(withBlanks).join('<text:tab/>'))
      .join('<text:line-break/>'),
}

function lines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/)
}

/** Several blanks would be read as one, and one at an end as none. */
function withBlanks(text: string): string {
  return escapeXmlText(text).replace(/^ +| {2,}| +$/g, (blanks) => `<text:s text:c="${blanks.length}"/>`)
}
