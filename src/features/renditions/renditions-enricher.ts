import { repositoryPlace } from '../../rest/document-url.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

const listed = Type.Object({
  name: Type.String(),
  kind: Type.Nullable(Type.String()),
  icon: Type.String(),
  url: Type.String(),
})

/** The forms in which the document can be had, in a fixed order (contract: blobs 7.3). */
export const renditionsEnricher = defineEnricher({
  name: 'renditions',
  entityType: 'document',
  adds: { renditions: Type.Array(listed) },
  async enrich({ document, isStored, context: { session, services, request } }) {
    if (!isStored) return {}
    const { baseUrl } = request
    const shown = (await services.renditions.listFor(session, document)).filter(({ isHidden = false }) => !isHidden)
    return {
      renditions: shown.map(({ name, kind = null, icon }) => ({
        name,
        kind,
        icon: `${baseUrl}icons/${icon}`,
        url: `${baseUrl}api/v1/${repositoryPlace(document.repository)}id/${document.id}/@rendition/${encodeURIComponent(name)}`,
      })),
    }
  },
})
