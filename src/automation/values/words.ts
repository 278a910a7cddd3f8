import type { IsoDate } from '../../base/iso-date.ts'
import type { Json } from '../../base/json.ts'
import type { BulkStatus } from '../../core/bulk/bulk-commands.ts'
import type { ProviderPage, RowPage } from '../../core/search/page/provider-page.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { FlowingBlob } from './flowing-blob.ts'
import type { Value, ValueOf } from './value.ts'

// The words are those that clients read in the registry (contract: operations 1.4); here they are bound to what a body is handed.

/** What an operation can be given as its input. */
export interface Inputs {
  /** None, or one that is not looked at. */
  void: undefined
  document: Document
  documents: readonly Document[]
  paginable: ProviderPage
  blob: FlowingBlob
  bloblist: readonly FlowingBlob[]
  string: string
  /** A user as the client describes it. */
  platformprincipal: JsonObject
  businessadapter: { readonly type: string; readonly value: JsonObject }
  object: Value
}

/** What an operation can give. Undefined, where there may be nothing, is answered with 204. */
export interface Outputs {
  /** The input goes on as it came. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a body that gives nothing returns nothing
  void: void
  /** Also something that is shown as a document and is none of a repository, such as a user. */
  document: Document | ValueOf<'entity'> | undefined
  documents: readonly Document[] | ProviderPage
  paginable: ProviderPage
  blob: FlowingBlob | undefined
  bloblist: readonly FlowingBlob[]
  string: string | undefined
  boolean: boolean
  long: number | bigint
  integer: number
  date: IsoDate
  list: readonly Json[]
  map: JsonObject
  recordset: RowPage
  bulkstatus: BulkStatus
  businessadapter: { readonly type: string; readonly value: JsonObject }
  object: Value
}

/** What a parameter can be. */
export interface Parameters {
  string: string
  boolean: boolean
  int: number
  integer: number
  long: number | bigint
  float: number
  date: IsoDate
  document: Document
  documents: readonly Document[]
  blob: FlowingBlob
  bloblist: readonly FlowingBlob[]
  stringlist: readonly string[]
  /** Values by xpath, not yet fitted to a document: `readSentProperties` does that. */
  properties: SentProperties
  resource: URL
  list: readonly Value[]
  map: JsonObject
  object: Value
  /** A scalar, or a list of them. */
  serializable: Json
  validationmethod: string
}

/** A text is read by the type of the property (`a,b` for a list, JSON for a complex one); null clears. */
export type SentProperties = { readonly [xpath: string]: Json }

export type InputWord = keyof Inputs
export type OutputWord = keyof Outputs
export type ParameterWord = keyof Parameters
