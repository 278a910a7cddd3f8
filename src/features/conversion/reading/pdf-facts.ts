import {
  type PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFString,
} from '@cantoo/pdf-lib'
import type { PdfPermission } from '../pdf/pdf-edit.ts'

/** A place in a PDF that leads elsewhere, by what clients call its kinds. */
export interface PdfLink {
  readonly page: number
  readonly subType: 'Launch' | 'Remote Go To' | 'URI'
  readonly link: string
  /** Where it is on the page: left, below, right, above. */
  readonly box: readonly [number, number, number, number]
}

const kinds: ReadonlyMap<string, PdfLink['subType']> = new Map([
  ['Launch', 'Launch'],
  ['GoToR', 'Remote Go To'],
  ['URI', 'URI'],
])

// As many as anybody looks at.
const maxLinks = 10_000

/** The links of a PDF that lead out of it, page by page. */
export function linksOf(document: PDFDocument): readonly PdfLink[] {
  const links: PdfLink[] = []
  for (const [index, page] of document.getPages().entries()) {
    for (const link of linksOn(page, index + 1)) {
      if (links.length >= maxLinks) return links
      links.push(link)
    }
  }
  return links
}

function* linksOn(page: PDFPage, number: number): Generator<PdfLink> {
  const annotations = page.node.Annots()
  for (let index = 0; index < (annotations?.size() ?? 0); index += 1) {
    const annotation = annotations?.lookup(index)
    if (!(annotation instanceof PDFDict) || nameIn(annotation, 'Subtype') !== 'Link') continue
    const action = annotation.lookup(PDFName.of('A'))
    const subType = action instanceof PDFDict ? kinds.get(nameIn(action, 'S') ?? '') : undefined
    if (!(action instanceof PDFDict) || subType === undefined) continue
    yield { page: number, subType, link: addressIn(action, subType), box: boxIn(annotation) }
  }
}

function addressIn(action: PDFDict, subType: PdfLink['subType']): string {
  if (subType === 'URI') return textIn(action, 'URI')
  const file = action.lookup(PDFName.of('F'))
  return file instanceof PDFDict ? textIn(file, 'UF') || textIn(file, 'F') : textIn(action, 'F')
}

function boxIn(annotation: PDFDict): PdfLink['box'] {
  const rectangle = annotation.lookup(PDFName.of('Rect')) as PDFArray | undefined
  const side = (index: number) => {
    const number = rectangle?.lookup?.(index)
    return number instanceof PDFNumber ? number.asNumber() : 0
  }
  const [left, below, right, above] = [side(0), side(1), side(2), side(3)]
  return [Math.min(left, right), Math.min(below, above), Math.max(left, right), Math.max(below, above)]
}

function nameIn(dictionary: PDFDict, key: string): string | undefined {
  const name = dictionary.lookup(PDFName.of(key))
  return name instanceof PDFName ? name.decodeText() : undefined
}

function textIn(dictionary: PDFDict, key: string): string {
  const value = dictionary.lookup(PDFName.of(key))
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : ''
}

// The bits of what a reader may do (ISO 32000-1, table 22), from 1.
const permissionBits: readonly (readonly [PdfPermission, label: string, bit: number])[] = [
  ['print', 'Can Print', 3],
  ['modify', 'Can Modify', 4],
  ['copy', 'Can Extract', 5],
  ['modifyAnnot', 'Can Modify Annotations', 6],
  ['fillForms', 'Can Fill Forms', 9],
  ['extractForAccessibility', 'Can Extract for Accessibility', 10],
  ['assemble', 'Can Assemble', 11],
  ['printDegraded', 'Can Print Degraded', 12],
]

/** What a PDF says of itself, by the labels that clients know. What it does not say is empty. */
export interface PdfFacts {
  readonly bytes: Uint8Array
  /** As it was opened, with a password or without. */
  readonly document: PDFDocument
  /** As it is written, with its encryption. */
  readonly written: PDFDocument
}

export function factsOf({ bytes, document, written }: PdfFacts): { readonly [label: string]: string } {
  const [page] = document.getPages()
  const [media, crop] = [page?.getMediaBox(), page?.getCropBox()]
  const points = (length: number | undefined) => String(length ?? 0)
  const may = permissionsIn(written)
  return {
    'File size': String(bytes.length),
    'PDF version': versionOf(bytes, document),
    'Page count': String(document.getPageCount()),
    'Page size': `${points(media?.width)}x${points(media?.height)} points`,
    'Page width': points(media?.width),
    'Page height': points(media?.height),
    'Page layout': nameIn(document.catalog, 'PageLayout') ?? '',
    Title: document.getTitle() ?? '',
    Author: document.getAuthor() ?? '',
    Subject: document.getSubject() ?? '',
    'PDF producer': document.getProducer() ?? '',
    'Content creator': document.getCreator() ?? '',
    'Creation date': dateOf(() => document.getCreationDate()),
    'Modification date': dateOf(() => document.getModificationDate()),
    Encrypted: String(may !== undefined),
    Keywords: document.getKeywords() ?? '',
    'Media box width': points(media?.width),
    'Media box height': points(media?.height),
    'Crop box width': points(crop?.width),
    'Crop box height': points(crop?.height),
    ...Object.fromEntries(permissionBits.map(([permission, label]) => [label, String(may?.has(permission) ?? true)])),
  }
}

/** Undefined when it is not encrypted. */
function permissionsIn({ context }: PDFDocument): ReadonlySet<PdfPermission> | undefined {
  const encryption = context.lookup(context.trailerInfo.Encrypt)
  if (!(encryption instanceof PDFDict)) return undefined
  const bits = encryption.lookup(PDFName.of('P'))
  const flags = bits instanceof PDFNumber ? bits.asNumber() | 0 : 0
  return new Set(permissionBits.filter(([, , bit]) => (flags & (1 << (bit - 1))) !== 0).map(([permission]) => permission))
}

/** The catalog may say a later one than the first line. */
function versionOf(bytes: Uint8Array, { catalog }: PDFDocument): string {
  const first = /%PDF-(\d\.\d)/.exec(Buffer.from(bytes.subarray(0, 1_024)).toString('latin1'))?.[1]
  return nameIn(catalog, 'Version') ?? first ?? ''
}

/** What is no date is none. */
function dateOf(read: () => Date | undefined): string {
  try {
    return read()?.toISOString() ?? ''
  } catch {
    return ''
  }
}
