import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'
import { commentsProvider, ofExternalEntity } from '../comments/index.ts'

export const annotationSchema = defineSchema('annotation', {
  prefix: 'annotation',
  fields: { xpath: string({ hasWords: false }) },
})

export const annotationType = defineDocumentType('Annotation', { extends: 'Comment', schemas: ['annotation'] })

export const annotationProviders: readonly PageProvider[] = [
  commentsProvider('GET_ANNOTATIONS_FOR_DOCUMENT', 'Annotation', 'comment:parentId = ? AND annotation:xpath = ?'),
  commentsProvider('GET_ANNOTATIONS_FOR_DOCUMENT_BY_ECM_PARENT', 'Annotation', 'ecm:parentId = ? AND annotation:xpath = ?'),
  commentsProvider('GET_ANNOTATION_AS_EXTERNAL_ENTITY', 'Annotation', ofExternalEntity),
]
