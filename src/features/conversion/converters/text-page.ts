import { readFile } from 'node:fs/promises'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { decodeText } from '../../../base/decoded-text.ts'
import type { ConverterWork } from '../../../core/conversion/converter.ts'

// A4 in points, with lines that can still be made out when the page is small.
const page = { width: 595, height: 842, margin: 48 }
const fontSize = 13
const lineHeight = 17
const linesOnPage = Math.floor((page.height - 2 * page.margin) / lineHeight)
const charactersInLine = 64
// As much of a text as could stand on one page.
const shownCharacters = linesOnPage * charactersInLine * 2

/**
 * The beginning of a text as it would stand on a page, in a PDF with one page. The font is one that every reader of PDF has, so that no
 * machine needs fonts for it; letters that it does not have are shown as dots.
 */
const textPage: ConverterWork = async ({ source, refuse }) => {
  const bytes = (await readFile(source.path)).subarray(0, 4 * shownCharacters)
  const lines = linesOf(decodeText({ bytes, isCut: true }, source.encoding).slice(0, shownCharacters))
  if (lines.every((line) => line === '')) return refuse('There is no text in it.')
  const document = await PDFDocument.create()
  const font = document.embedStandardFont(StandardFonts.Helvetica)
  const known = new Set(font.getCharacterSet())
  const shown = (line: string) => Array.from(line, (letter) => (known.has(letter.codePointAt(0) ?? 0) ? letter : '·')).join('')
  document.addPage([page.width, page.height]).drawText(lines.map(shown).join('\n'), {
    font,
    x: page.margin,
    y: page.height - page.margin - fontSize,
    size: fontSize,
    lineHeight,
  })
  return [{ bytes: await document.save(), mimeType: 'application/pdf' }]
}

export default textPage

/** Long lines are broken between words, where there are some. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = []
  for (const line of text.split(/\r\n|[\r\n\f]/)) {
    const plain = line.replaceAll('\t', '    ').replaceAll(/\p{Cc}/gu, '')
    if (lines.length >= linesOnPage) break
    lines.push(...broken(plain.trimEnd()))
  }
  return lines.slice(0, linesOnPage)
}

function broken(line: string): readonly string[] {
  const parts: string[] = []
  let rest = line
  while (rest.length > charactersInLine) {
    const space = rest.lastIndexOf(' ', charactersInLine)
    const end = space > charactersInLine / 2 ? space : charactersInLine
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...parts, rest]
}
