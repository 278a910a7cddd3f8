import { createYieldPoint } from '../../base/event-loop.ts'
import { roughSize } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Highlighting } from '../../core/search/highlighting.ts'
import type { ContentRules, Session } from '../../core/session.ts'
import { type Document, formatChangeToken, formatProxyChangeToken } from '../../model/document.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Fields, ObjectSchema, Schema, Static } from '../openapi/schema.ts'
import type { Depth } from '../request/declared-headers.ts'
import { type RenderRequest, RenderWishes } from '../request/render-wishes.ts'
import type { AnswerLimits, Services } from '../services.ts'

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
  /** The shapes of what it adds, by key, for the documentation. It may leave any of them out. */
  readonly adds?: Fields
  /** It tells more than lists do, which show what may only be browsed: of that, it is left out. */
  readonly needsRead?: boolean
  /** What it adds, by key. A failure leaves the whole of it out and is logged; the answer is not affected. */
  enrich(subject: EnricherSubject): Promise<{ readonly [key: string]: unknown }>
}

/** The same for users: `enrichers.user: userprofile`. */
export interface UserEnricher {
  readonly name: string
  readonly entityType: 'user'
  readonly adds?: Fields
  enrich(subject: EnrichedUser): Promise<{ readonly [key: string]: unknown }>
}

export type Enricher = DocumentEnricher | UserEnricher

type Adding<Added extends Fields> = Partial<Static<ObjectSchema<Added>>>

/**
 * An enricher of documents that gives what it declares.
 * @example
 * const wordCount = defineEnricher({
 *   name: 'wordCount', entityType: 'document', adds: { wordCount: Type.Integer() },
 *   enrich: async ({ document }) => ({ wordCount: String(document.properties['note:note'] ?? '').split(/\s+/).length }),
 * })
 */
export function defineEnricher<Added extends Fields>(
  enricher: Omit<DocumentEnricher, 'adds' | 'enrich'> & {
    readonly adds: Added
    enrich(subject: EnricherSubject): Promise<Adding<Added>>
  },
): DocumentEnricher {
  return enricher
}

/** The same for users. */
export function defineUserEnricher<Added extends Fields>(
  enricher: Omit<UserEnricher, 'adds' | 'enrich'> & {
    readonly adds: Added
    enrich(subject: EnrichedUser): Promise<Adding<Added>>
  },
): UserEnricher {
  return enricher
}

export interface EnricherSubject {
  readonly document: Document
  /** False for an empty document that is not stored. */
  readonly isStored: boolean
  readonly context: RenderContext
}

interface EnrichedUser {
  readonly user: Principal
  readonly context: RenderContext
}

type Shared = Pick<RenderContext, 'services' | 'rendering' | 'request'>

export function createRenderContext(session: Session, exchange: Shared, highlighting?: Highlighting): RenderContext {
  const budget = new RenderBudget(exchange.services.facts.answerLimits)
  return new RequestedRendering(session, exchange, new RenderWishes(exchange.request), budget, 0, highlighting)
}

/** Whether an entity at this level carries its properties and enrichers, or only its base fields. */
export function isShownInFull(context: RenderContext): boolean {
  return context.level <= context.maxLevel
}

const levels: { readonly [depth in Depth]: number } = { root: 0, children: 1, max: 2 }

// A class, because every request makes one: an object literal with getters took 3 µs to create, which is as much as
// writing a whole document takes.
class RequestedRendering implements RenderContext {
  readonly session: Session
  readonly services: Services
  readonly rendering: Rendering
  readonly request: RenderRequest
  readonly budget: RenderBudget
  readonly level: number
  readonly highlighting?: Highlighting
  readonly #wishes: RenderWishes

  constructor(
    session: Session,
    shared: Shared,
    wishes: RenderWishes,
    budget: RenderBudget,
    level: number,
    highlighting?: Highlighting,
  ) {
    this.session = session
    this.services = shared.services
    this.rendering = shared.rendering
    this.request = shared.request
    this.budget = budget
    this.level = level
    if (highlighting !== undefined) this.highlighting = highlighting
    this.#wishes = wishes
  }

  get schemas(): readonly string[] {
    return this.#wishes.schemas
  }

  get maxLevel(): number {
    return levels[this.#wishes.depth]
  }

  get locales(): readonly string[] {
    return this.#wishes.locales
  }

  enrichers(entityType: string): readonly string[] {
    return this.#wishes.perType('enrichers', entityType)
  }

  fetch(entityType: string): readonly string[] {
    return this.#wishes.perType('fetch', entityType)
  }

  translate(entityType: string): readonly string[] {
    return this.#wishes.perType('translate', entityType)
  }

  nested(): RenderContext {
    return new RequestedRendering(this.session, this, this.#wishes, this.budget, this.level + 1)
  }
}

/** The token as clients see it: the counters or, where those are switched off, the time of the last change. */
export function shownChangeToken(rules: ContentRules, document: Document): string | null {
  const { changeToken, proxyChangeToken } = document
  if (rules.changeTokens) {
    return proxyChangeToken === undefined ? formatChangeToken(changeToken) : formatProxyChangeToken(proxyChangeToken, changeToken)
  }
  const modified = document.properties['dc:modified']
  return typeof modified === 'string' ? String(Date.parse(modified)) : null
}

export const answerTooLarge = defineProblem(
  'answerTooLarge',
  'invalid',
  (of: { what: 'entities' | 'bytes'; max: number }) =>
    `The answer would have more than the ${of.max} ${of.what} allowed at once. Ask for a smaller page, for fewer schemas, ` +
    'enrichers and fetched properties, or for less depth.',
)

/**
 * What writing one answer may still take, shared by all entities in it: one inside another multiplies. Counted while it is written,
 * as the memory is gone by the time that there is a text to measure.
 */
class RenderBudget {
  readonly #limits: AnswerLimits
  readonly #pace = createYieldPoint()
  #entities = 0
  #bytes = 0

  constructor(limits: AnswerLimits) {
    this.#limits = limits
  }

  /** An entity with these properties. @throws answerTooLarge */
  spendEntity(shown: unknown): void {
    this.#countEntities(1)
    this.spend(sizeOfBaseFields + roughSize(shown))
  }

  /** Entities that are written already, of so many characters in all. @throws answerTooLarge */
  spendTexts(count: number, characters: number): void {
    this.#countEntities(count)
    this.spend(characters)
  }

  #countEntities(count: number): void {
    this.#entities += count
    if (this.#entities > this.#limits.maxEntities) throw answerTooLarge({ what: 'entities', max: this.#limits.maxEntities })
  }

  /** @throws answerTooLarge */
  spend(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.maxBytes) throw answerTooLarge({ what: 'bytes', max: this.#limits.maxBytes })
  }

  /** Lets others have their turn when this answer has had its share of time. */
  rest(): Promise<void> | undefined {
    return this.#pace()
  }
}

const sizeOfBaseFields = 800
