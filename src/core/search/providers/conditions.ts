/** Conditions that most providers share. */
export const visible = "ecm:mixinType != 'HiddenInNavigation'"
export const notVersion = 'ecm:isVersion = 0'
export const notProxy = 'ecm:isProxy = 0'
export const trashed = 'ecm:isTrashed = 1'
export const notTrashed = 'ecm:isTrashed = 0'
export const notFolder = "ecm:mixinType != 'Folderish'"
export const notSystem = "ecm:mixinType != 'SystemDocument'"
export const hasPlace = 'ecm:parentId IS NOT NULL'
/** Leaves out what the first sorted column is empty of. */
export const sorted = 'SORTED_COLUMN IS NOT NULL'

/** Finds words of a title as they are typed, the last one perhaps not to its end. */
export const titleHint = '/*+ES: INDEX(dc:title.fulltext) OPERATOR(match_phrase_prefix) */'

export function allOf(...conditions: readonly string[]): string {
  return conditions.join(' AND ')
}

export const allDocuments = 'SELECT * FROM Document'

export function documentsWhere(...conditions: readonly string[]): string {
  return `${allDocuments} WHERE ${allOf(...conditions)}`
}
