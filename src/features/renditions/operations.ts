import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, required } from '../../automation/parameter.ts'
import { jsonBlob, madeBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { requireRead } from '../../core/documents/read-document.ts'
import { isContainer, type RenditionReason } from '../../core/renditions/default-rendition.ts'
import { renditionNotFound } from '../../core/renditions/renditions.ts'
import { announceDownload } from '../../rest/download/download.ts'
import { downloadOfRendition, renditionCallIn } from '../files/index.ts'
import { renderStored } from './stored-renditions.ts'
import { zipContainer } from './zip-container.ts'

export const noContainer = defineProblem(
  'noContainer',
  'invalid',
  (of: { id: string }) => `${of.id} is neither a folder nor a collection. Ask for Document.GetRendition of it.`,
)

export const wrongContainerBound = defineProblem(
  'wrongContainerBound',
  'invalid',
  (of: { parameter: string; rule: string }) => `${of.parameter} must be ${of.rule}.`,
)

export const unknownReason = defineProblem(
  'unknownReason',
  'invalid',
  (of: { reason: string }) => `There is no reason ${of.reason.slice(0, 100)} for a rendition, only download, publish.`,
)

const getRendition = defineOperation({
  id: 'Document.GetRendition',
  category: 'Files',
  description: 'Gives the document in another form; an empty file where there is nothing to make it of.',
  effect: 'waits',
  params: { renditionName: required('string', { description: 'As the enricher renditions lists them' }) },
  run: ({ each }) => [
    each('document', 'blob', async (document, { session, context, params: { renditionName: name } }) => {
      await requireRead(session, document)
      const rendition = await context.services.renditions.find(session, document, name)
      if (rendition === undefined) throw renditionNotFound({ id: document.id, name })
      const rendered = await renderStored(rendition, renditionCallIn(context, document))
      if (rendered === undefined) return madeBlob('', { name: `${document.name}.null`, mimeType: 'text/plain' })
      const { blob, bytes, xpath = '', contains = [] } = rendered
      for (const part of contains) await announceDownload(session, { ...part, reason: 'download' })
      return { blob, ...(bytes !== undefined && { bytes }), source: { document, xpath } }
    }),
  ],
})

const getContainerRendition = defineOperation({
  id: 'Document.GetContainerRendition',
  category: 'Files',
  description: 'Gives a zip archive of what is in a folder or collection, each document in its default rendition.',
  effect: 'waits',
  params: {
    reason: optional('string', { description: 'What the renditions are for: download, which is usual, or publish' }),
    limit: defaulted('int', 100, { description: 'Documents at each level; -1 for all' }),
    maxDepth: defaulted('int', 1, { description: 'Levels; folders further down are left out' }),
  },
  run: ({ on }) => [
    on('document', 'blob', async (document, { session, context, params }) => {
      await requireRead(session, document)
      const reason = parseReason(params.reason || 'download')
      const limit = parseLimit(params.limit)
      if (params.maxDepth < 1) throw wrongContainerBound({ parameter: 'maxDepth', rule: 'at least 1' })
      if (!isContainer(shapeSeen(session.model, document))) throw noContainer({ id: document.id })
      const bounds = { limit, maxDepth: params.maxDepth, reason }
      const rendered = await zipContainer(context.services, renditionCallIn(context, document), bounds)
      await announceDownload(
        session,
        downloadOfRendition(document, rendered, { reason: 'download', rendition: 'containerDefaultRendition' }),
      )
      return { blob: rendered.blob }
    }),
  ],
})

function parseLimit(limit: number): number {
  if (limit === -1) return Number.MAX_SAFE_INTEGER
  if (limit < 1) throw wrongContainerBound({ parameter: 'limit', rule: 'at least 1, or -1 for all' })
  return limit
}

function parseReason(reason: string): RenditionReason {
  if (reason === 'download' || reason === 'publish') return reason
  throw unknownReason({ reason })
}

const suggested = 10

const suggestRenditions = defineOperation({
  id: 'RenditionDefinition.Suggestion',
  category: 'Services',
  description: 'Suggests renditions whose names begin with a text.',
  effect: 'reads',
  params: { searchTerm: optional('string') },
  run: ({ on }) => [
    on('void', 'blob', (_, { context: { services }, params: { searchTerm = '' } }) => {
      const term = searchTerm.trim().toLowerCase()
      const names = services.renditions.declared.map(({ name }) => name)
      const found = names.filter((name) => name.toLowerCase().startsWith(term)).toSorted()
      return jsonBlob(found.slice(0, suggested).map((name) => ({ id: name, displayLabel: name })))
    }),
  ],
})

export const renditionOperations = [getRendition, getContainerRendition, suggestRenditions]
