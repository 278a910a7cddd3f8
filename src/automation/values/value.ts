import type { IsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import type { BulkStatus } from '../../core/bulk/bulk-commands.ts'
import type { ProviderPage, RowPage } from '../../core/search/page/provider-page.ts'
import type { Document } from '../../model/document.ts'
import type { FlowingBlob } from './flowing-blob.ts'

/** What goes into an operation, comes out of it, or is stored in a variable of its context. */
export type Value =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'document'; readonly document: Document }
  /** Documents that were named or made, or a page of those that were found. */
  | { readonly kind: 'documents'; readonly documents: readonly Document[]; readonly found?: ProviderPage }
  | { readonly kind: 'blob'; readonly blob: FlowingBlob }
  | { readonly kind: 'blobs'; readonly blobs: readonly FlowingBlob[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'boolean'; readonly isTrue: boolean }
  | { readonly kind: 'number'; readonly number: number | bigint }
  | { readonly kind: 'date'; readonly date: IsoDate }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  /** Names keep their order in each; a client that says that it counts is told so again. */
  | { readonly kind: 'map'; readonly members: { readonly [name: string]: Value }; readonly isOrdered?: true }
  /** A user as a client describes it, or one that exists, as it is shown. */
  | { readonly kind: 'entity'; readonly entityType: string; readonly json: { readonly [field: string]: Json } }
  | { readonly kind: 'users'; readonly names: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: RowPage }
  | { readonly kind: 'bulkStatus'; readonly status: BulkStatus }

export type ValueOf<Kind extends Value['kind']> = Extract<Value, { readonly kind: Kind }>

export const nothing: Value = { kind: 'nothing' }

export function documentsValue(documents: readonly Document[], found?: ProviderPage): Value {
  return { kind: 'documents', documents, ...(found !== undefined && { found }) }
}

/** The word for a value in messages. */
export function wordOf(value: Value): string {
  switch (value.kind) {
    case 'nothing':
      return 'void'
    case 'blobs':
      return 'bloblist'
    case 'entity':
      return value.entityType
    default:
      return value.kind
  }
}
