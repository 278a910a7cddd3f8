import type { Highlighting } from '../../core/search/highlighting.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Schema } from '../openapi/schema.ts'
import type { RenderRequest } from '../request/render-wishes.ts'
import type { Services } from '../services.ts'
import type { RenderBudget } from './render-budget.ts'

// A context holds the writers and enrichers, and each of them is handed a context: they stand in one file.

/** How a client wants entities shown: which schemas, what fetched, which enrichers, how deep. */
export interface RenderContext {
  readonly session: Session
  readonly services: Services
  readonly rendering: Rendering
  readonly request: RenderRequest
  /** Schema names in alphabetical order; `*` for all. */
  readonly schemas: readonly string[]
  /** How many entities enclose the one being written; 0 at the top. */
  readonly level: number
  /** Shared by all entities of the answer. */
  readonly budget: RenderBudget
  readonly maxLevel: number
  enrichers(entityType: string): readonly string[]
  fetch(entityType: string): readonly string[]
  translate(entityType: string): readonly string[]
  /** The languages of the request, best first. */
  readonly locales: readonly string[]
  /** Of documents that a search found: what to mark in them. */
  readonly highlighting?: Highlighting
  /** The context of an entity inside this one. */
  nested(): RenderContext
}

/** What plugins contribute to how entities are shown. */
export interface Rendering {
  readonly entityWriters: ReadonlyMap<string, EntityWriter>
  findDocumentEnricher(name: string): DocumentEnricher | undefined
  findUserEnricher(name: string): UserEnricher | undefined
}

/** Writes an entity that more than one place shows: a user as `GET /user/x` and as a fetched `dc:creator`. */
export interface EntityWriter {
  readonly entityType: string
  /** What it writes, for the documentation of whatever answers with it. */
  readonly schema?: Schema
  /**
   * `value` is the id of a user or group, a `Reference` for a directory entry, a `Document` for a document.
   * Undefined when there is nothing of that id to show.
   */
  write(context: RenderContext, value: unknown): Promise<object | undefined>
}

/**
 * Adds to the `contextParameters` of an entity when a client asks for it by name.
 * @example
 * const wordCount: Enricher = {
 *   name: 'wordCount', entityType: 'document',
 *   enrich: async ({ document }) => ({ wordCount: String(document.properties['note:note'] ?? '').split(/\s+/).length }),
 * }
 */
export interface DocumentEnricher {
  readonly name: string
  readonly entityType: 'document'
  /** What it adds, by key. A failure leaves the whole of it out and is logged; the answer is not affected. */
  enrich(subject: EnricherSubject): Promise<{ readonly [key: string]: unknown }>
}

/** The same for users: `enrichers.user: userprofile`. */
export interface UserEnricher {
  readonly name: string
  readonly entityType: 'user'
  enrich(subject: EnrichedUser): Promise<{ readonly [key: string]: unknown }>
}

export type Enricher = DocumentEnricher | UserEnricher

export interface EnricherSubject {
  readonly document: Document
  /** False for an empty document that nobody has stored. */
  readonly isStored: boolean
  readonly context: RenderContext
}

export interface EnrichedUser {
  readonly user: Principal
  readonly context: RenderContext
}
