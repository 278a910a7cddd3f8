import { readFile } from 'node:fs/promises'
import type { OperationContext } from '../../../automation/context.ts'
import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { applyChanges, saveParameter } from '../../../automation/unsaved-changes.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { readSentChanges, valueOfJson } from '../../../automation/values/read-sent-properties.ts'
import type { SentProperties } from '../../../automation/values/words.ts'
import { defineProblem } from '../../../base/problem.ts'
import { mainBlob } from '../../../core/blobs/document-blobs.ts'
import { conversionSource } from '../../../core/conversion/run-conversion.ts'
import { shapeSeen } from '../../../core/documents/proxies/proxy.ts'
import type { Document } from '../../../model/document.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import { isBlobValue } from '../../../model/properties/property.ts'
import { shownValueAt } from '../../../model/properties/shown-property.ts'
import { parseXpath, valueAt } from '../../../model/properties/xpath.ts'
import { actingName } from '../../../model/rights/principal.ts'
import { parseBlobTarget, withBlobsAt } from '../../files/index.ts'
import { converted, fileAt, nothingToConvertOf } from '../converted-file.ts'
import { readMapping } from './metadata-mappings.ts'
import {
  type FileMetadata,
  requireFewTags,
  shownMetadata,
  tagValue,
  valueForField,
  type WrittenMetadata,
  writtenValues,
} from './metadata-values.ts'
import { parseTagName, withoutGroup } from './tag-name.ts'

export const unknownMetadataProcessor = defineProblem(
  'unknownMetadataProcessor',
  'invalid',
  (of: { name: string }) => `There is no metadata processor ${of.name.slice(0, 100)}, only exifTool. Leave the parameter out.`,
)

export const fileChangedMeanwhile = defineProblem(
  'fileChangedMeanwhile',
  'conflict',
  (of: { id: string }) =>
    `The document ${of.id} got another file while metadata was written into the one that it had. Try again.`,
)

const ignorePrefix = defaulted('boolean', true, {
  description: 'Tags are named without their standard: Copyright, not EXIF:Copyright',
})
const processor = defaulted('string', 'exifTool', { description: 'What reads and writes it: exifTool' })

/** @throws unknownMetadataProcessor */
function requireProcessor(name: string): void {
  if (name !== '' && name.toLowerCase() !== 'exiftool') throw unknownMetadataProcessor({ name })
}

/** All that is inside the file. @throws what converting throws */
async function metadataOf(context: OperationContext, file: FlowingBlob): Promise<FileMetadata> {
  const { services, session, host } = context
  const source = conversionSource(session.repository, file)
  const use = async ([made]: readonly { readonly path: string }[]) => (made === undefined ? '{}' : readFile(made.path, 'utf8'))
  const text = await services.conversions.convertFor(source, { converter: 'readMetadata' }, use, {
    user: actingName(session.principal),
    signal: host.signal,
  })
  context.budget.make(text.length)
  return JSON.parse(text)
}

export const readMetadata = defineOperation({
  id: 'Blob.ReadMetadata',
  aliases: ['Binary.ReadMetadata'],
  category: 'Files',
  description: 'Gives the metadata inside the file: what a camera, an editor or an office program has written there.',
  effect: 'waits',
  params: { ignorePrefix },
  run: ({ on }) => [
    on('blob', 'map', async (file, { context, params }) => shownMetadata(await metadataOf(context, file), params)),
  ],
})

export const setContextMetadata = defineOperation({
  id: 'Context.SetMetadataFromBlob',
  aliases: ['Context.ReadMetadataFromBinary'],
  category: 'Execution Context',
  description: 'Keeps the metadata inside the file in the variable binaryMetadata of the context.',
  effect: 'waits',
  params: {
    ignorePrefix,
    processor,
    metadata: optional('stringlist', { description: 'The tags that are wanted; all when absent' }),
  },
  run: ({ on }) => [
    on('blob', 'void', async (file, { context, params }) => {
      requireProcessor(params.processor)
      const found = await metadataOf(context, file)
      const shown = shownMetadata(found, { ignorePrefix: params.ignorePrefix, tags: params.metadata ?? [] })
      context.variables.set('binaryMetadata', valueOfJson(shown))
    }),
  ],
})

export const setDocumentMetadata = defineOperation({
  id: 'Document.SetMetadataFromBlob',
  aliases: ['Document.TriggerMetadataMapping'],
  category: 'Files',
  description: 'Writes the metadata inside the file of the document into its properties, as a mapping says.',
  effect: 'waits',
  params: {
    metadataMappingId: required('string', { description: 'Which mapping: EXIF, IPTC, or one of a plugin' }),
    processor,
    save: saveParameter,
  },
  run: ({ on }) => [
    on('document', 'void', async (document, { context, params }) => {
      requireProcessor(params.processor)
      const { blobXpath, properties } = readMapping(context.services.metadataMappings, params.metadataMappingId)
      const found = await metadataOf(context, await fileAt(context, document, blobXpath))
      const changes = await readSentChanges(context, document, mappedValues(context, document, found, properties))
      await context.write((session) => applyChanges(context.within(session), document, changes, params))
    }),
  ],
})

/** Values for those of the properties that the document can have and its file tells. */
function mappedValues(
  { session: { model } }: OperationContext,
  document: Document,
  metadata: FileMetadata,
  mapping: { readonly [xpath: string]: string },
): SentProperties {
  const { properties } = shapeSeen(model, document)
  const told = Object.entries(mapping).flatMap(([address, tag]) => {
    const xpath = parseXpath(model, address)
    const value = properties.has(xpath.property.name) ? tagValue(metadata, tag) : undefined
    const fitted = value === undefined ? undefined : valueForField(value, xpath.type)
    return fitted === undefined ? [] : [[address, fitted] as const]
  })
  return Object.fromEntries(told)
}

/** A copy of the file, with that in it. @throws wrongMetadataTag, tooMuchMetadata and what converting throws */
function written(context: OperationContext, file: FlowingBlob, metadata: WrittenMetadata): Promise<FlowingBlob> {
  const parameters = { metadata: JSON.stringify(requireFewTags(metadata)) }
  return converted(context, file, { converter: 'writeMetadata' }, { parameters })
}

/** What is written for each tag that is named. @throws wrongMetadataTag, noMetadataValue */
function metadataFor(
  sent: SentProperties,
  isShort: boolean,
  valueFor: (sent: PropertyValue) => PropertyValue | undefined,
): WrittenMetadata {
  const told = Object.entries(sent).map(([name, value]) => {
    const tag = isShort ? withoutGroup(name) : name
    parseTagName(tag)
    return [tag, writtenValues(tag, valueFor(value as PropertyValue))] as const
  })
  return Object.fromEntries(told)
}

export const setBlobMetadata = defineOperation({
  id: 'Blob.SetMetadataFromContext',
  aliases: ['Binary.WriteMetadataFromContext'],
  category: 'Files',
  description: 'Gives a copy of the file with other metadata inside.',
  effect: 'waits',
  params: {
    metadata: required('properties', { description: 'Values by tag; null takes a tag out' }),
    ignorePrefix,
    processor,
  },
  run: ({ on }) => [
    on('blob', 'blob', async (file, { context, params }) => {
      requireProcessor(params.processor)
      return written(
        context,
        file,
        metadataFor(params.metadata, params.ignorePrefix, (value) => value),
      )
    }),
  ],
})

const mainAddress = 'blobholder:0'

export const setMetadataFromDocument = defineOperation({
  id: 'Blob.SetMetadataFromDocument',
  aliases: ['Binary.WriteMetadataFromDocument'],
  category: 'Files',
  description: 'Writes properties of the document into its file as metadata.',
  effect: 'waits',
  params: {
    metadata: required('properties', { description: 'For each tag the property that goes there: Copyright=dc:rights' }),
    processor,
    blobXPath: optional('string', { description: 'The place of the file in the document; its main one when absent' }),
    ignorePrefix,
    save: saveParameter,
  },
  run: ({ on }) => [
    on('document', 'document', async (document, { session, context, params }) => {
      requireProcessor(params.processor)
      const xpath = params.blobXPath || mainAddress
      const target = parseBlobTarget(session, document, xpath)
      if (params.blobXPath === undefined && mainBlob(session, document) === undefined)
        throw nothingToConvertOf({ id: document.id })
      const file = await fileAt(context, document, params.blobXPath)
      const property = (address: PropertyValue) => shownValueAt(document, parseXpath(session.model, String(address)))
      const { blob } = await written(context, file, metadataFor(params.metadata, params.ignorePrefix, property))
      const changes = (current: Document) => {
        const before = valueAt(current.properties, target.xpath)
        if (!isBlobValue(before) || before.key !== file.blob.key) throw fileChangedMeanwhile({ id: document.id })
        return withBlobsAt(current, target, [blob])
      }
      return context.write((writing) => applyChanges(context.within(writing), document, changes, params))
    }),
  ],
})

export const metadataOperations = [
  readMetadata,
  setContextMetadata,
  setDocumentMetadata,
  setBlobMetadata,
  setMetadataFromDocument,
]
