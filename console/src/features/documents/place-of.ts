import { type Document, titleOf } from '../../api/types.ts'

/** The folders that a document lies in, as people call them. It is read with the enricher `breadcrumb`. */
export function placeOf({ uid, contextParameters }: Pick<Document, 'uid' | 'contextParameters'>): string {
  const above = contextParameters?.breadcrumb?.entries ?? []
  return above.flatMap((one) => (one.uid === uid || one.path === '/' ? [] : [titleOf(one)])).join(' › ')
}
