import { findBlobPlace } from '../../core/blobs/blob-place.ts'
import { requireRightAt } from '../../core/documents/hold-for-change.ts'
import { findTarget } from '../../core/documents/proxies/proxy.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import type { SaveOptions } from '../../core/save-options.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { BlobValue, Properties } from '../../model/property.ts'
import { unknownProperty, valueAt, withValueAt, type Xpath } from '../../model/xpath.ts'
import { requireSettable, textServedAsFile } from './blob-target.ts'

/** @throws privilegeMissing, unknownProperty, textServedAsFile, readOnlyProperty */
export async function requireWritable(session: Session, document: Document, address: string): Promise<Xpath> {
  await requireRightAt(session, document, (await findTarget(session, document)) ?? document, 'WriteProperties')
  const place = findBlobPlace(session, document, address)
  if (place.kind === 'text') throw textServedAsFile({ xpath: place.held.xpath })
  if (place.kind === 'nowhere') throw unknownProperty({ xpath: address })
  requireSettable(session, place.xpath.property)
  return place.xpath
}

/** Saves the document with another blob at the address, or with none. */
export async function setBlob(
  session: WriteSession,
  document: Document,
  address: string,
  blob: BlobValue | null,
  options: SaveOptions = {},
): Promise<void> {
  const xpath = await requireWritable(session, document, address)
  // Taking away what is not there would make a list grow up to where it would have been.
  if (blob === null && valueAt(document.properties, xpath) === null) return
  const changes = ({ properties }: Document): Properties => {
    const { name } = xpath.property
    return { [name]: withValueAt(properties, xpath, blob)[name] ?? null }
  }
  await saveDocument(session, document.id, changes, options)
}
