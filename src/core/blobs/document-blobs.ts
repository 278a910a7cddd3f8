import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Document } from '../../model/document.ts'
import type { FieldType } from '../../model/field.ts'
import type { Model } from '../../model/model.ts'
import { type BlobValue, isBlobValue, isComplexValue, type PropertyValue } from '../../model/properties/property.ts'
import { formatXpath, valueAt, type Xpath } from '../../model/properties/xpath.ts'
import type { Shape } from '../../model/shape.ts'
import { shapeSeen } from '../documents/proxies/proxy.ts'

const extensions: ReadonlyMap<string, string> = new Map([
  ['text/html', '.html'],
  ['text/xml', '.xml'],
  ['text/x-web-markdown', '.md'],
])

/** The text of a note as the file it would be; undefined when there is none. */
function noteBlob(document: Document): { xpath: string; blob: BlobValue; bytes: Uint8Array } | undefined {
  const { 'note:note': text, 'note:mime_type': type } = document.properties
  if (typeof text !== 'string') return undefined
  const mimeType = typeof type === 'string' ? type : 'text/plain'
  const bytes = Buffer.from(text)
  const digest = hash('md5', bytes)
  return {
    xpath: 'note:note',
    bytes,
    blob: {
      key: digest,
      name: fileName(document, extensions.get(mimeType) ?? '.txt'),
      'mime-type': mimeType,
      encoding: 'UTF-8',
      digest,
      digestAlgorithm: 'MD5',
      length: bytes.length,
    },
  }
}

function fileName({ name, properties }: Document, extension: string): string {
  const title = properties['dc:title']
  const bare = typeof title === 'string' && title !== '' ? title : name
  return bare.endsWith(extension) ? bare : bare + extension
}

/** A blob of a document and where in it. */
export interface DocumentBlob {
  readonly xpath: string
  readonly blob: BlobValue
  /** The bytes themselves, where they are the text of a property and in no store. */
  readonly bytes?: Uint8Array
}

/** What knows the model: a session, a repository. */
export interface Modelled {
  readonly model: Model
}

export const mainFile = 'file:content'

/** What is downloaded, converted and shown when nothing else is named (contract: blobs 3.2). */
export function mainBlob({ model }: Modelled, document: Document): DocumentBlob | undefined {
  const shape = shapeSeen(model, document)
  if (hasMainText(shape)) return noteBlob(document)
  if (!hasMainFile(shape)) return undefined
  const blob = document.properties[mainFile]
  return isBlobValue(blob) ? { xpath: mainFile, blob } : undefined
}

/** The main blob, when there is one, and all others. */
export function blobsOf(modelled: Modelled, document: Document): readonly DocumentBlob[] {
  const main = mainBlob(modelled, document)
  const others = otherBlobs(modelled, document)
  return main === undefined ? others : [main, ...others]
}

/** In the order of their schemas; of a picture only its views. */
export function otherBlobs({ model }: Modelled, document: Document): readonly DocumentBlob[] {
  const isPicture = shapeSeen(model, document).hasFacet('Picture')
  const isOther = (name: string) => (isPicture ? name === 'picture:views' : name !== mainFile)
  return [...everyStoredBlob({ model }, document, isOther)]
}

/** Those in the properties, wherever they are: of a note not its text. */
export function* everyStoredBlob(
  { model }: Modelled,
  document: Document,
  isWanted: (property: string) => boolean = () => true,
): Generator<DocumentBlob> {
  for (const { name, field } of shapeSeen(model, document).properties.values()) {
    if (isWanted(name)) yield* everyBlob(field.type, document.properties[name] ?? null, name)
  }
}

/** The blob at a place, or those somewhere inside of what is there. */
export function blobsBelow({ properties }: Document, xpath: Xpath): readonly DocumentBlob[] {
  return [...everyBlob(xpath.type, valueAt(properties, xpath), formatXpath(xpath))]
}

export function hasMainFile(shape: Shape): boolean {
  return shape.hasFacet('Picture') || shape.hasSchema('file')
}

/** Whether a text is what others have a main file for. */
export function hasMainText(shape: Shape): boolean {
  return !hasMainFile(shape) && shape.hasSchema('note')
}

function* everyBlob(type: FieldType, value: PropertyValue, xpath: string): Generator<DocumentBlob> {
  if (type.kind === 'blob') {
    if (isBlobValue(value)) yield { xpath, blob: value }
  } else if (type.kind === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* everyBlob(type.item.type, item, `${xpath}/${index}`)
  } else if (type.kind === 'complex' && isComplexValue(value)) {
    for (const { name, type: member } of type.fields) yield* everyBlob(member, value[name] ?? null, `${xpath}/${name}`)
  }
}
