import { defineOperation } from '../../../automation/operation.ts'
import { required } from '../../../automation/parameter.ts'
import { applyChanges } from '../../../automation/unsaved-changes.ts'
import { blobNotFound } from '../../../core/blobs/blob-place.ts'
import type { Document } from '../../../model/document.ts'
import { type BlobValue, isBlobValue, type Properties } from '../../../model/properties/property.ts'
import { formatXpath, valueAt, withoutValueAt, type Xpath } from '../../../model/properties/xpath.ts'
import { type BlobTarget, parseBlobTarget, parseFilesPlace, withBlobsAt } from '../blob-target.ts'
import { save, xpath } from './parameters.ts'

export const removeFromDocument = defineOperation({
  id: 'Blob.RemoveFromDocument',
  aliases: ['Blob.Remove'],
  category: 'Files',
  description: 'Takes a file out of the document, an item out of a list of files, or all files out of a list.',
  effect: 'writes',
  params: { xpath, save },
  run: ({ each }) => [
    each('document', 'document', (document, { session, context, params }) => {
      const place = parseFilesPlace(session, document, params.xpath)
      return applyChanges(context, document, (current) => withoutFilesAt(current, place), params)
    }),
  ],
})

function withoutFilesAt({ properties }: Document, place: Xpath): Properties {
  const { name } = place.property
  // Where nothing is, a list would grow up to where it would have been.
  if (valueAt(properties, place) === null) return {}
  return { [name]: withoutValueAt(properties, place)[name] ?? null }
}

export const setBlobName = defineOperation({
  id: 'Document.SetBlobName',
  aliases: ['Blob.SetFilename'],
  category: 'Files',
  description: 'Gives a file of the document another name.',
  effect: 'writes',
  params: { name: required('string'), xpath, save },
  run: ({ each }) => [
    each('document', 'document', (document, { session, context, params }) => {
      const target = parseBlobTarget(session, document, params.xpath)
      const changes = (current: Document) => withBlobsAt(current, target, [{ ...readFileAt(current, target), name: params.name }])
      return applyChanges(context, document, changes, params)
    }),
  ],
})

function readFileAt({ properties }: Document, { kind, xpath: place }: BlobTarget): BlobValue {
  const blob = valueAt(properties, place)
  if (kind === 'list' || !isBlobValue(blob)) throw blobNotFound({ xpath: formatXpath(place) })
  return blob
}
