import { defineProblem } from '../../base/problem.ts'
import { renditionNotFound } from '../../core/renditions/renditions.ts'
import { defineAdapter } from '../../rest/adapter.ts'
import { downloadQuery } from '../../rest/download/download-conditions.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { requireDocument } from '../../rest/resource.ts'
import { downloadOfRendition, renditionCallOf } from '../files/index.ts'
import { renderLazily } from './lazy-renditions.ts'
import { renderStored } from './stored-renditions.ts'

/**
 * The sizes in which small pictures are made. An application that asks for 199 pixels and one that asks for 200 are handed the same
 * picture, so that few are made and kept of each.
 */
const imageSizes: readonly number[] = [32, 64, 128, 256, 512, 1024, 2048]

export const wrongImageSize = defineProblem(
  'wrongImageSize',
  'invalid',
  (of: { value: string }) => `size must be a whole number from 1 to ${imageSizes.at(-1)}, not ${of.value.slice(0, 40)}.`,
)

const query = Type.Object({
  ...downloadQuery.properties,
  size: Type.Refused(
    Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: imageSizes.at(-1) ?? 1,
        description: 'Longest side of a picture; one of a few sizes, or the next larger one',
      }),
    ),
    ({ value }) => wrongImageSize({ value: String(value) }),
  ),
})

/** A document in another form: `/@rendition/pdf`, `/@rendition/thumbnail?size=200`. */
export const renditionAdapter = defineAdapter({
  name: 'rendition',
  summary: 'The document in another form. The enricher `renditions` tells which there are',
  accepts: ['document'],
  tail: '{name}',
  query,
  yields: 'blob',
  async resolve({ session, exchange, resource, tail, sent }) {
    const document = requireDocument(resource)
    const { renditions } = exchange.services
    const name = tail.join('/')
    const rendition = await renditions.find(session, document, name)
    const { size } = sent.query
    const call = renditionCallOf(exchange, session, document, size === undefined ? {} : { size: usedSize(size) })
    const render = rendition?.isLazy ? renderLazily : renderStored
    const rendered = rendition && (await render(rendition, call))
    if (rendition === undefined || rendered === undefined) throw renditionNotFound({ id: document.id, name })
    const download = downloadOfRendition(document, rendered, { reason: 'rendition', rendition: rendition.name })
    return { kind: 'blob', ...download, isSilent: rendition.isGlance ?? false }
  },
})

/** The size that serves for the one that is asked for: itself or the next larger one. */
function usedSize(asked: number): number {
  return imageSizes.find((size) => size >= asked) ?? imageSizes.at(-1) ?? asked
}
