import { documentUrl } from '../../rest/document-url.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher, type EnricherSubject, shownChangeToken } from '../../rest/render/rendering.ts'

const address = Type.Object({ url: Type.String() })

/** Where a small picture of the document is, whether or not there is one yet. */
export const thumbnailEnricher = defineEnricher({
  name: 'thumbnail',
  entityType: 'document',
  adds: { thumbnail: address },
  async enrich(subject) {
    if (!subject.isStored) return {}
    return { thumbnail: { url: `${apiUrl(subject, 'api/v1')}/@rendition/thumbnail?changeToken=${tokenOf(subject) ?? ''}` } }
  },
})

/** Where the document can be looked at in a browser. */
export const previewEnricher = defineEnricher({
  name: 'preview',
  entityType: 'document',
  adds: { preview: address },
  async enrich(subject) {
    if (!subject.isStored) return {}
    const token = tokenOf(subject)
    return {
      preview: { url: `${apiUrl(subject, 'site/api/v1')}/@preview/${token === undefined ? '' : `?changeToken=${token}`}` },
    }
  },
})

/** The document's page in the user interface of this deployment. */
export const documentUrlEnricher = (pattern: () => string) =>
  defineEnricher({
    name: 'documentURL',
    entityType: 'document',
    adds: { documentURL: Type.Nullable(Type.String()) },
    async enrich({ document, isStored, context: { request } }) {
      if (!isStored) return { documentURL: null }
      const values = { base: request.baseUrl, repo: document.repository, id: document.id }
      return { documentURL: documentUrl(pattern(), values) }
    },
  })

function apiUrl({ document, context }: EnricherSubject, root: string): string {
  return `${context.request.baseUrl}${root}/repo/${document.repository}/id/${document.id}`
}

/** Percent-encoded; undefined where documents have none. */
function tokenOf({ document, context }: EnricherSubject): string | undefined {
  const token = shownChangeToken(context.session.repository.rules, document)
  return token === null ? undefined : encodeURIComponent(token)
}
