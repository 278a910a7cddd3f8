import { defineFacet } from '../../model/document-type.ts'
import { long } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const statisticsFacet = 'DocumentsSizeStatistics'
export const statisticsPrefix = 'dss:'

/** It belongs to the very folder: copies and versions of it have no quota. */
export const statisticsSchema = defineSchema('documents_size_statistics', {
  prefix: 'dss',
  staysBehind: true,
  fields: { innerSize: long(), totalSize: long(), sizeTrash: long(), sizeVersions: long(), maxSize: long() },
})

/** On the folders that have a quota. */
export const sizeStatistics = defineFacet(statisticsFacet, ['documents_size_statistics'], { isReserved: true })
