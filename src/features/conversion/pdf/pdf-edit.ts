import { defineProblem } from '../../../base/problem.ts'
import type { ConversionParameters } from '../../../core/conversion/converter.ts'

export const wrongPdfParameter = defineProblem(
  'wrongPdfParameter',
  'invalid',
  (of: { parameter: string; rule: string; value: string }) =>
    `${of.parameter} must be ${of.rule}, not ${of.value === '' ? 'empty' : of.value.slice(0, 100)}.`,
)

/** What a new PDF says of itself; what is undefined stays as the first file has it. */
export interface PdfAbout {
  readonly title: string | undefined
  readonly subject: string | undefined
  readonly author: string | undefined
}

/** Parts of one, each from 0 to 1. */
export type PdfColor = readonly [red: number, green: number, blue: number]

/** Where on a page something is laid: points from the left and from below, or shares of the room that it leaves. */
export interface PdfPlace {
  readonly x: number
  readonly y: number
  /** Counted from the right. */
  readonly isInvertedX: boolean
  /** Counted from above. */
  readonly isInvertedY: boolean
  readonly isRelative: boolean
}

export const pagePositions = ['Bottom right', 'Bottom center', 'Bottom left', 'Top right', 'Top center', 'Top left'] as const
export type PagePosition = (typeof pagePositions)[number]

/** The fonts that every reader has. */
export const pdfFonts = [
  ...['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  ...['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  ...['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
] as const

export const keyLengths = ['40', '128'] as const

/** What somebody who opens an encrypted file without the password of its owner may do, by the names that clients use. */
export const pdfPermissions = [
  'print',
  'modify',
  'copy',
  'modifyAnnot',
  'fillForms',
  'extractForAccessibility',
  'assemble',
  'printDegraded',
] as const
export type PdfPermission = (typeof pdfPermissions)[number]

/** Something that is done to a PDF, and gives another. */
export type PdfEdit =
  /** The pages of the files that come with it behind its own. */
  | { readonly kind: 'merge'; readonly about: PdfAbout }
  | { readonly kind: 'extract'; readonly firstPage: number; readonly lastPage: number; readonly about: PdfAbout }
  | {
      readonly kind: 'number'
      readonly firstPage: number
      readonly firstNumber: number
      readonly position: PagePosition
      readonly font: string
      readonly fontSize: number
      readonly color: PdfColor
    }
  | {
      readonly kind: 'encrypt'
      readonly ownerPassword: string
      readonly userPassword: string
      readonly keyLength: (typeof keyLengths)[number]
      readonly permissions: ReadonlySet<PdfPermission>
    }
  | { readonly kind: 'decrypt' }
  | {
      readonly kind: 'stampText'
      readonly text: string
      readonly font: string
      readonly fontSize: number
      readonly rotation: number
      readonly color: PdfColor
      readonly opacity: number
      readonly place: PdfPlace
    }
  /** With the picture that comes with it. */
  | { readonly kind: 'stampImage'; readonly scale: number; readonly opacity: number; readonly place: PdfPlace }
  /** With the pages of the file that comes with it, again and again. */
  | { readonly kind: 'stampPdf' }

const [largestFont, longestText, farthest, largestScale] = [1_000, 10_000, 100_000, 100]

/**
 * Reads what a converter, or an operation before it, is told: `edit` names what is to be done, and the others are as clients call them.
 * @throws wrongPdfParameter
 */
export function parsePdfEdit(told: ConversionParameters): PdfEdit {
  const { edit: kind = '' } = told
  switch (kind) {
    case 'merge':
      return { kind, about: aboutIn(told) }
    case 'extract': {
      const firstPage = wholeIn(told, 'startPage', 1)
      const lastPage = wholeIn(told, 'endPage', 1)
      if (lastPage < firstPage) throw wrong(told, 'endPage', `at least startPage, which is ${firstPage}`)
      return { kind, firstPage, lastPage, about: aboutIn(told) }
    }
    case 'number':
      return {
        kind,
        firstPage: wholeIn(told, 'startAtPage', 1, '1'),
        firstNumber: wholeIn(told, 'startAtNumber', 0, '1'),
        position: oneOf(told, 'position', pagePositions, 'Bottom right'),
        font: oneOf(told, 'fontName', pdfFonts, 'Helvetica'),
        fontSize: numberIn(told, 'fontSize', [1, largestFont], '16'),
        color: colorIn(told, '0xffffff'),
      }
    case 'encrypt':
      return {
        kind,
        ownerPassword: told['ownerPwd'] ?? '',
        userPassword: told['userPwd'] ?? '',
        keyLength: oneOf(told, 'keyLength', keyLengths, '128'),
        permissions: new Set(pdfPermissions.filter((name) => isTrue(told, name, 'true'))),
      }
    case 'decrypt':
      return { kind }
    case 'stampText':
      return {
        kind,
        text: stampedText(told),
        font: oneOf(told, 'fontFamily', pdfFonts, 'Helvetica'),
        fontSize: numberIn(told, 'fontSize', [1, largestFont], '72'),
        rotation: numberIn(told, 'rotation', [-farthest, farthest], '0'),
        color: colorIn(told, '#000000'),
        opacity: opacityIn(told),
        place: placeIn(told),
      }
    case 'stampImage':
      return {
        kind,
        scale: numberIn(told, 'scale', [0.001, largestScale], '1'),
        opacity: opacityIn(told),
        place: placeIn(told),
      }
    case 'stampPdf':
      return { kind }
    default:
      throw wrong(told, 'edit', 'the name of something that can be done to a PDF')
  }
}

function wrong(told: ConversionParameters, parameter: string, rule: string) {
  return wrongPdfParameter({ parameter, rule, value: told[parameter] ?? '' })
}

function aboutIn({ pdfTitle, pdfSubject, pdfAuthor }: ConversionParameters): PdfAbout {
  return { title: pdfTitle || undefined, subject: pdfSubject || undefined, author: pdfAuthor || undefined }
}

function stampedText(told: ConversionParameters): string {
  const { text = '' } = told
  if (text.trim() === '' || text.length > longestText) throw wrong(told, 'text', `a text of at most ${longestText} characters`)
  return text
}

function wholeIn(told: ConversionParameters, parameter: string, least: number, usual?: string): number {
  const value = numberIn(told, parameter, [least, Number.MAX_SAFE_INTEGER], usual)
  if (!Number.isInteger(value)) throw wrong(told, parameter, 'a whole number')
  return value
}

function numberIn(
  told: ConversionParameters,
  parameter: string,
  [least, most]: readonly [least: number, most: number],
  usual = '',
): number {
  const text = (told[parameter] || usual).trim()
  const value = Number(text)
  if (text !== '' && value >= least && value <= most) return value
  const isOpen = most === Number.MAX_SAFE_INTEGER
  throw wrong(told, parameter, isOpen ? `a number from ${least} on` : `a number from ${least} to ${most}`)
}

function opacityIn(told: ConversionParameters): number {
  return numberIn(told, 'alphaColor', [0, 1], '0.5')
}

function oneOf<Name extends string>(told: ConversionParameters, parameter: string, names: readonly Name[], usual: Name): Name {
  const asked = (told[parameter] || usual).trim().toLowerCase()
  const found = names.find((name) => name.toLowerCase() === asked)
  if (found === undefined) throw wrong(told, parameter, `one of ${names.join(', ')}`)
  return found
}

function isTrue(told: ConversionParameters, parameter: string, usual: 'true' | 'false'): boolean {
  return oneOf(told, parameter, ['true', 'false'], usual) === 'true'
}

/** `0xff8000` and `#ff8000`. */
function colorIn(told: ConversionParameters, usual: string): PdfColor {
  const [, red = '', green = '', blue = ''] =
    /^(?:0x|#)?([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec((told['hex255Color'] || usual).trim()) ?? []
  if (red === '') throw wrong(told, 'hex255Color', 'a colour such as #ff8000')
  const share = (hex: string) => Number.parseInt(hex, 16) / 255
  return [share(red), share(green), share(blue)]
}

function placeIn(told: ConversionParameters): PdfPlace {
  const isRelative = isTrue(told, 'relativeCoordinates', 'false')
  const bounds = isRelative ? ([0, 1] as const) : ([-farthest, farthest] as const)
  return {
    x: numberIn(told, 'xPosition', bounds, '0'),
    y: numberIn(told, 'yPosition', bounds, '0'),
    isInvertedX: isTrue(told, 'invertX', 'false'),
    isInvertedY: isTrue(told, 'invertY', 'false'),
    isRelative,
  }
}

/** What is laid down or onto. */
export interface PdfSize {
  readonly width: number
  readonly height: number
}

/** Where the lower left corner of something comes to lie on a page: it is whole on it unless the place says otherwise. */
export function cornerOn(page: PdfSize, laid: PdfSize, place: PdfPlace): { readonly x: number; readonly y: number } {
  const along = (position: number, isInverted: boolean, room: number) => {
    const offset = place.isRelative ? position * room : position
    return isInverted ? room - offset : offset
  }
  return {
    x: along(place.x, place.isInvertedX, page.width - laid.width),
    y: along(place.y, place.isInvertedY, page.height - laid.height),
  }
}

/** The box around something that is turned about its lower left corner, and how far left of and below that corner it begins. */
export function turnedBox(
  { width, height }: PdfSize,
  degrees: number,
): PdfSize & { readonly left: number; readonly below: number } {
  const [cosine, sine] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const xs = [0, width * cosine, -height * sine, width * cosine - height * sine]
  const ys = [0, width * sine, height * cosine, width * sine + height * cosine]
  const [left, below] = [-Math.min(...xs), -Math.min(...ys)]
  return { width: Math.max(...xs) + left, height: Math.max(...ys) + below, left, below }
}
