import type { Highlighting } from '../core/search/highlighting.ts'
import type { Page } from '../core/search/page/page.ts'
import type { Session } from '../core/session.ts'
import type { Document } from '../model/document.ts'
import type { DocumentReader } from '../store/documents.ts'
import type { Answer } from './answer.ts'
import type { Download } from './download/download-rule.ts'
import type { ObjectSchema, Schema } from './openapi/schema.ts'
import type { NoBody, NoFields, Sent, SentFor, Taking } from './payload/declared-input.ts'
import type { ListExtras } from './render/documents-entity.ts'
import type { Exchange } from './request/exchange.ts'
import type { Segment } from './request/url-path.ts'
import type { Description, Method } from './route.ts'
import type { Services } from './services.ts'

/** What a path leads to, before or between adapters. */
export type Resource =
  /** The API itself: `/api/v1/@emptyWithDefault`. */
  | { readonly kind: 'root' }
  | { readonly kind: 'document'; readonly document: Document }
  | DocumentList
  | BlobResource
  | { readonly kind: 'user'; readonly name: string }
  | { readonly kind: 'group'; readonly name: string }
  | EntityList

/** Documents that were named, or a page of those that were found. */
export interface DocumentList extends ListExtras {
  readonly kind: 'documents'
  readonly documents: readonly Document[]
  readonly page?: Page
  readonly highlighting?: Highlighting
}

/** A file: answered as a download. */
export interface BlobResource extends Download {
  readonly kind: 'blob'
}

/** A page of things that are no documents: users, groups, entries of a directory. */
export interface EntityList {
  readonly kind: 'entities'
  /** The entity type of the list: `users`. */
  readonly listType: string
  /** The entity type of each in it: `user`; its writer shows the values. */
  readonly entityType: string
  readonly values: readonly unknown[]
  readonly page: Page
}

/** For what was accepted as a document already. */
export function requireDocument(resource: Resource): Document {
  if (resource.kind !== 'document') throw new Error(`A document was promised, not ${resource.kind}.`)
  return resource.document
}

/** The document, or the documents of the page. */
export function requireDocuments(resource: Resource): readonly Document[] {
  switch (resource.kind) {
    case 'document':
      return [resource.document]
    case 'documents':
      return resource.documents
    default:
      return []
  }
}

/** The methods of a resource, for dispatch and documentation alike. */
export type MethodTable<Call> = { readonly [M in Method]?: MethodOf<Call> }

export type MethodOf<Call> = Description & { handle(call: Call): Promise<Answer> }

/** The first segment of a path (`id`, `path`, `bulk`): knows how much of the rest is its own and what it leads to. */
export interface ResourceRoot {
  readonly segment: string
  /** For the documentation: `/id/{docId}`. */
  readonly template: string
  readonly summary: string
  /** What it leads to, and so which adapters may follow. */
  readonly yields: Resource['kind']
  /** Resolves the segments before the first adapter. @throws documentNotFound, privilegeMissing */
  resolve(session: Session, own: Segment, rest: readonly Segment[], services: Services): Promise<Resource>
  /** Tells of the document that the segments will be resolved to, before it is known who asks. */
  expect?(documents: DocumentReader, rest: readonly Segment[]): void
  readonly methods: MethodTable<ResourceCall>
}

export interface ResourceCall<Given extends Sent = Sent> {
  readonly exchange: Exchange
  readonly sent: Given
  /** Resolves what the path leads to in the session it is handed, so that a write sees its own transaction. */
  resolve(session: Session): Promise<Resource>
}

/** A method of a resource that is given what it declares. */
export function resourceMethod<
  Body extends Schema = NoBody,
  Query extends ObjectSchema = NoFields,
  Headers extends ObjectSchema = NoFields,
>(
  method: Omit<Description, keyof Taking> &
    Taking<Body, Query, Headers> & { handle(call: ResourceCall<SentFor<Body, Query, Headers>>): Promise<Answer> },
): MethodOf<ResourceCall> {
  return method
}
