import type { PageProvider } from '../../../core/search/page-provider.ts'

/** All of them: a thread has no pages. */
function every(name: string, type: 'Comment' | 'Annotation', condition: string): PageProvider {
  return { name, pattern: `SELECT * FROM ${type} WHERE ${condition}`, maxPageSize: 0 }
}

const external = 'externalEntity:entityId = ?'

export const commentProviders: readonly PageProvider[] = [
  every('GET_COMMENTS_FOR_DOCUMENT', 'Comment', 'comment:parentId = ?'),
  every('GET_COMMENTS_FOR_DOCUMENT_BY_ECM_PARENT', 'Comment', 'ecm:parentId = ?'),
  every('GET_COMMENTS_FOR_DOCUMENTS_BY_COMMENT_ANCESTOR', 'Comment', 'comment:ancestorIds = ?'),
  every('GET_ANNOTATIONS_FOR_DOCUMENT', 'Annotation', 'comment:parentId = ? AND annotation:xpath = ?'),
  every('GET_ANNOTATIONS_FOR_DOCUMENT_BY_ECM_PARENT', 'Annotation', 'ecm:parentId = ? AND annotation:xpath = ?'),
  every('GET_COMMENT_AS_EXTERNAL_ENTITY', 'Comment', external),
  every('GET_ANNOTATION_AS_EXTERNAL_ENTITY', 'Annotation', external),
  every('GET_EXTERNAL_COMMENT_BY_COMMENT_ANCESTOR', 'Comment', `comment:ancestorIds = ? AND ${external}`),
  every('GET_EXTERNAL_COMMENT_BY_ECM_ANCESTOR', 'Comment', `ecm:ancestorId = ? AND ${external}`),
]
