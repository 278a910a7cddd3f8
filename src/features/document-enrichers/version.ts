import { versionLabel } from '../../model/versioning.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

const version = Type.Object({
  label: Type.String(),
  created: Type.Nullable(Type.String({ format: 'date-time', description: 'Of a version: when it was made' })),
  comment: Type.Nullable(Type.String({ description: 'Of a version: what was said when it was made' })),
  isLatest: Type.Boolean({ description: 'Whether it is the newest version' }),
  isLatestMajor: Type.Boolean(),
  baseId: Type.Nullable(Type.String({ description: 'Of a live document: the version it was made or restored as last' })),
})

/** When and why a version was made; of a live document, the version that it comes from. */
export const versionEnricher = defineEnricher({
  name: 'version',
  entityType: 'document',
  adds: { version },
  async enrich({ document, isStored, context: { session } }) {
    if (!isStored) return {}
    const { versionCreated, versionComment, isLatestVersion, isLatestMajorVersion, baseVersionId, isVersion } = document
    return {
      version: {
        label: versionLabel(document, session.model.shapeOf(document)),
        created: versionCreated,
        comment: versionComment,
        isLatest: isLatestVersion,
        isLatestMajor: isLatestMajorVersion,
        baseId: isVersion ? null : baseVersionId,
      },
    }
  },
})
