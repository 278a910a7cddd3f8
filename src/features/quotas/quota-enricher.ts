import { bytesIn } from '../../model/properties/property.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { findQuota } from './quota-info.ts'

/** What a folder with a quota holds at this moment; its properties say what it held a while ago. */
export const quotaEnricher = defineEnricher({
  name: 'quota',
  entityType: 'document',
  needsRead: true,
  adds: {
    quota: Type.Nullable(
      Type.Object({
        innerSize: Type.Integer({ description: 'Bytes of the files of the folder itself' }),
        totalSize: Type.Integer({ description: 'With all below it, versions and the trash included' }),
        sizeTrash: Type.Integer(),
        sizeVersions: Type.Integer(),
        maxSize: Type.Integer({ description: '0 where nothing is limited' }),
      }),
    ),
  },
  async enrich({ document, isStored, context: { session } }) {
    const folder = isStored ? await findQuota(session, document) : undefined
    if (folder === undefined) return { quota: null }
    const { total, trash, versions } = folder.sizes
    const innerSize = bytesIn(document.properties)
    return { quota: { innerSize, totalSize: total, sizeTrash: trash, sizeVersions: versions, maxSize: folder.max } }
  },
})
